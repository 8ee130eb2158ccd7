// A model that is served under a name, and can be exchanged for another while it is asked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "http/batcher.h"
#include "http/metrics.h"
#include "http/name_index.h"
#include "orrery/dataset.h"
#include "orrery/model.h"
#include "orrery/serve.h"

namespace orrery {

// A model as it was opened, with what requests need of it.
struct ModelVersion {
  // With `known`, the model is to know these facts.
  ModelVersion(const Model& opened, std::optional<Dataset> known, const ServeLimits& limits,
               Metrics& metrics);

  const std::optional<Dataset> facts;
  const Model model;
  const NameIndex entities, relations, times;
  mutable Batcher batcher;
};

class ServedModel {
 public:
  ServedModel(std::string name, std::unique_ptr<ModelVersion> first);
  ServedModel(const ServedModel&) = delete;
  ServedModel& operator=(const ServedModel&) = delete;

  // Keeps the version that it was lent.
  class Lease {
   public:
    ~Lease() { from_.give_back(version_); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    const ModelVersion& operator*() const { return *version_; }
    const ModelVersion* operator->() const { return version_; }

   private:
    friend class ServedModel;
    Lease(ServedModel& from, const ModelVersion* version) : from_(from), version_(version) {}

    ServedModel& from_;
    const ModelVersion* version_;
  };
  Lease lend();
  // From now on this one is lent; the one before goes when nobody has it any more.
  void put(std::unique_ptr<ModelVersion> next);

  const std::string& name() const { return name_; }
  std::uint64_t changes() const;  // how often it was exchanged

 private:
  struct Held {
    std::unique_ptr<ModelVersion> version;
    std::size_t lent = 0;
  };
  void give_back(const ModelVersion* version);

  std::string name_;
  mutable std::mutex mutex_;
  std::list<Held> held_;  // the last is the present one
  std::uint64_t changes_ = 0;
};

}  // namespace orrery
