// What answers look like, as OpenAPI schemas.
#pragma once

#include <string_view>

namespace orrery {

inline constexpr std::string_view health_schema = R"({
  "type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}})";

inline constexpr std::string_view error_schema = R"({
  "type": "object", "required": ["error"], "properties": {"error": {
    "type": "object", "required": ["message"], "additionalProperties": false, "properties": {
      "message": {"type": "string", "description": "one sentence"},
      "field": {"type": "string", "description": "the field to blame"},
      "advice": {"type": "string", "description": "what to do about it"}}}}})";

inline constexpr std::string_view info_schema = R"({
  "type": "object", "required": ["version", "models", "limits"], "properties": {
    "version": {"type": "string"},
    "models": {"type": "array", "minItems": 1, "items": {
      "type": "object",
      "required": ["name", "model", "formula", "dim", "parameters", "entities", "relations",
                   "times", "timed", "intervals", "granularity", "first_time", "last_time", "epoch",
                   "data_fingerprint", "version", "options", "changes"],
      "properties": {
        "name": {"type": "string", "description": "as the field `model` takes it"},
        "model": {"type": "string"},
        "formula": {"type": "string"},
        "dim": {"type": "integer"},
        "parameters": {"type": "integer"},
        "entities": {"type": "integer"},
        "relations": {"type": "integer"},
        "times": {"type": "integer"},
        "timed": {"type": "boolean", "description": "answers depend on the time"},
        "intervals": {"type": "boolean"},
        "granularity": {"type": "string"},
        "first_time": {"type": "string"},
        "last_time": {"type": "string"},
        "epoch": {"type": "integer"},
        "data_fingerprint": {"type": "string"},
        "version": {"type": "string", "description": "of the Orrery that wrote it"},
        "options": {"type": "object", "additionalProperties": {"type": "string"}},
        "scores": {"type": "object", "description": "of validation, in fractions"},
        "facts": {"type": "object", "description": "how many are known; absent: none"},
        "changes": {"type": "integer", "description": "how often its file was exchanged"}}}},
    "limits": {"type": "object", "additionalProperties": {"type": "integer"}}}})";

inline constexpr std::string_view entities_schema = R"({
  "type": "object", "required": ["model", "entities", "more"], "properties": {
    "model": {"type": "string"},
    "entities": {"type": "array", "items": {
      "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
    "more": {"type": "boolean", "description": "there are others"}}})";

inline constexpr std::string_view relations_schema = R"({
  "type": "object", "required": ["model", "relations", "more"], "properties": {
    "model": {"type": "string"},
    "relations": {"type": "array", "items": {
      "type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}},
    "more": {"type": "boolean", "description": "there are others"}}})";

inline constexpr std::string_view times_schema = R"({
  "type": "object", "required": ["model", "granularity", "intervals", "times"], "properties": {
    "model": {"type": "string"},
    "granularity": {"type": "string"},
    "intervals": {"type": "boolean"},
    "times": {"type": "array", "items": {"type": "string"}}}})";

// One such, or in a list one each; a wrong question of a list has an "error" instead.
inline constexpr std::string_view answers_schema = R"({
  "type": "object", "required": ["model", "asked", "answers"], "properties": {
    "model": {"type": "string"},
    "asked": {"type": "string", "enum": ["subject", "relation", "object", "time", "fact"]},
    "subject": {"type": "string"},
    "relation": {"type": "string"},
    "object": {"type": "string"},
    "time": {"type": "string"},
    "time_row": {"type": "string", "description": "the model's time that was used"},
    "note": {"type": "string", "description": "where a date is no time of the model"},
    "answers": {"type": "array", "items": {
      "type": "object", "required": ["name", "score", "probability"], "properties": {
        "name": {"type": "string"},
        "score": {"type": "number"},
        "probability": {"type": "number", "description": "softmax over all candidates"},
        "calibrated": {"type": "number", "description": "how often such an answer is true"},
        "known": {"type": "object", "nullable": true, "required": ["split", "now", "time"],
          "description": "where it is a fact already; null: nowhere, absent: not looked up",
          "properties": {
            "split": {"type": "string", "enum": ["train", "valid", "test"]},
            "now": {"type": "boolean", "description": "at the time of the question"},
            "time": {"type": "string"}}},
        "seen": {"type": "boolean",
          "description": "train has it with this relation on that side"}}}},
    "curve": {"type": "array", "description": "asked for the time: all times", "items": {
      "type": "object", "required": ["time", "score", "probability"], "properties": {
        "time": {"type": "string"},
        "score": {"type": "number"},
        "probability": {"type": "number"}}}},
    "interval": {"type": "object", "required": ["start", "end"], "properties": {
      "start": {"type": "string"}, "end": {"type": "string"}}}}})";

inline constexpr std::string_view explanation_schema = R"({
  "type": "object",
  "required": ["model", "subject", "relation", "object", "known", "sides", "curve", "supporting",
               "opposing", "related_facts", "compared_facts", "neighbours"],
  "properties": {
    "model": {"type": "string"},
    "subject": {"type": "string"},
    "relation": {"type": "string"},
    "object": {"type": "string"},
    "time": {"type": "string"},
    "time_row": {"type": "string"},
    "note": {"type": "string"},
    "known": {"type": "object", "nullable": true},
    "sides": {"type": "array", "items": {"type": "object", "required": ["asked", "score", "rank"]}},
    "curve": {"type": "array", "items": {"type": "object"}},
    "supporting": {"type": "array", "items": {"$ref": "#/components/schemas/InfluentialFact"}},
    "opposing": {"type": "array", "items": {"$ref": "#/components/schemas/InfluentialFact"}},
    "related_facts": {"type": "integer"},
    "compared_facts": {"type": "integer"},
    "influence_note": {"type": "string"},
    "neighbours": {"type": "object", "required": ["subject", "object"]}}})";

inline constexpr std::string_view influential_fact_schema = R"({
  "type": "object",
  "required": ["subject", "relation", "object", "time", "link", "influence"],
  "properties": {
    "subject": {"type": "string"},
    "relation": {"type": "string"},
    "object": {"type": "string"},
    "time": {"type": "string"},
    "end": {"type": "string"},
    "link": {"type": "string", "description": "what it has in common with the explained one"},
    "influence": {"type": "number", "description": "positive: it raises the score"}}})";

inline constexpr std::string_view geometry_schema = R"({
  "type": "object",
  "required": ["model", "relation", "sentences", "product", "components", "size", "shift",
               "symmetry", "learned_reverse", "numbers", "nearest", "median_nearest", "inverse",
               "median_inverse", "over_time"],
  "properties": {
    "model": {"type": "string"},
    "relation": {"type": "string"},
    "time": {"type": "string"},
    "time_row": {"type": "string", "description": "the model's time that was used"},
    "event": {"type": "string", "enum": ["start", "end"]},
    "note": {"type": "string"},
    "sentences": {"type": "array", "items": {"type": "string"}},
    "product": {"type": "boolean", "description": "scores are inner products; else distances"},
    "components": {"type": "integer", "description": "of a number of an embedding"},
    "size": {"type": "number", "description": "entities are stretched by it, on average"},
    "shift": {"type": "number", "description": "and moved by it, in their size after that"},
    "symmetry": {"type": "number", "description": "likeness to its own reverse"},
    "learned_reverse": {"type": "number",
      "description": "likeness of its reverse to what was learned for the subject"},
    "numbers": {"type": "array", "items": {
      "type": "object", "required": ["alike", "reversed"], "properties": {
        "alike": {"type": "number", "description": "the part that both directions share"},
        "reversed": {"type": "number", "description": "the part that turns round"}}}},
    "nearest": {"type": "array", "items": {"$ref": "#/components/schemas/LikeRelation"}},
    "median_nearest": {"type": "number", "description": "over all other relations"},
    "inverse": {"type": "array", "items": {"$ref": "#/components/schemas/LikeRelation"}},
    "median_inverse": {"type": "number", "description": "over all other relations"},
    "over_time": {"type": "array", "items": {
      "type": "object", "required": ["time", "size", "likeness"], "properties": {
        "time": {"type": "string"},
        "size": {"type": "number"},
        "likeness": {"type": "number", "description": "to the time that was asked for"}}}}}})";

inline constexpr std::string_view like_relation_schema = R"({
  "type": "object", "required": ["name", "likeness"], "properties": {
    "name": {"type": "string"},
    "likeness": {"type": "number", "description": "a cosine: 1 the same, 0 unrelated"}}})";

inline constexpr std::string_view neighbours_schema = R"({
  "type": "object", "required": ["model", "entity", "nearest"], "properties": {
    "model": {"type": "string"},
    "entity": {"type": "string"},
    "nearest": {"type": "array", "items": {
      "type": "object", "required": ["name", "similarity"], "properties": {
        "name": {"type": "string"},
        "similarity": {"type": "number", "description": "the cosine of their embeddings"}}}},
    "total": {"type": "integer", "description": "facts of it; absent: none are known"},
    "facts": {"type": "array", "items": {
      "type": "object", "required": ["subject", "relation", "object", "time", "split"],
      "properties": {
        "subject": {"type": "string"},
        "relation": {"type": "string"},
        "object": {"type": "string"},
        "time": {"type": "string", "description": "of an interval, its start"},
        "end": {"type": "string", "description": "of an interval; empty: open"},
        "split": {"type": "string", "enum": ["train", "valid", "test"]}}}}}})";

}  // namespace orrery
