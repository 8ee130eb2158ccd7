// Facts that a model finds implausible: what to look at first in a graph that may hold errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orrery/model.h"

namespace orrery {

struct AuditOptions {
  std::int64_t folds = 5;  // of the training facts; each is judged by a model of the others
  std::uint64_t seed = 1;  // by which facts are cut into folds
  std::size_t others = 3;  // answers that are likelier, for each fact
  // A drill: this share of the facts gets a drawn entity on one side before anything is trained, to
  // see how many of them are found.
  double corrupt = 0;
  // For so many of the most doubtful interval facts a likelier interval is looked for.
  std::size_t intervals = 200;
};

struct LikelierAnswer {
  std::string name;
  double probability = 0;  // calibrated where the model is, else softmax
};

struct AuditedFact {
  std::string subject, relation, object;
  std::string time;         // as in the file; of an interval "start\tend"
  double plausibility = 0;  // that it is true, against drawn false facts; else its softmax
  // By which facts are sorted: how far its log-odds are below 0, and half of what is usual for its
  // relation aside, since facts of some relations are hard to tell for any model.
  double doubt = 0;
  std::int32_t object_rank = 0, subject_rank = 0;  // among candidates that are not known
  std::string weaker =
      {};  // subject or object: the side for which another answer is so much likelier
  std::vector<LikelierAnswer> likelier = {};  // in its place, the best first
  // Of interval facts, where another is clearly likelier for the same three: "start\tend".
  std::string likelier_time = {};
  // What the model that judged it was trained with, of this subject and of this object. With none
  // it knows nothing: such facts come last.
  static constexpr std::int64_t unknown_count = -1;  // the training facts are not at hand
  std::int64_t subject_facts = 0, object_facts = 0;
  std::string replaced = {};  // in a drill: who stood on the side that was made false
  bool trained_on = false;    // the model has learned it: that it finds it plausible says nothing

  bool judged() const { return subject_facts != 0 && object_facts != 0; }
};

struct Audit {
  std::vector<AuditedFact> facts;  // the most implausible first
  bool calibrated = false;         // plausibilities are probabilities
  std::int64_t folds = 0;          // that were judged; 0: by one model, of facts from elsewhere
  bool interrupted = false;        // some folds were not
  // In a drill: facts that were made false, and how many of them are in the first tenth.
  std::size_t corrupted = 0, found = 0;
  std::vector<std::string> notes = {};  // what a reader must know
};

class AuditObserver : public TrainObserver {
 public:
  // A fold's model is about to be trained.
  virtual void on_fold(std::int64_t /*fold*/, std::int64_t /*folds*/) {}
};

// The training facts of `data`, each judged by a model that was trained without it: as many models
// as there are folds, with the options of `model` and as many epochs as it has seen. Where the
// observer stops it, what was judged so far is returned. Too few facts are a request Error.
Audit audit(const Model& model, const Dataset& data, const AuditOptions& options = {},
            AuditObserver* observer = nullptr);

// Facts from elsewhere, all splits of them, judged by the model itself. `trained`: the facts it
// was trained on, where they are at hand; answers that these know do not compete. Facts with names
// that the model does not know are left out and noted; where none is left, that is a request Error.
Audit audit_facts(const Model& model, const Dataset& facts, const std::optional<Dataset>& trained,
                  const AuditOptions& options = {});

}  // namespace orrery
