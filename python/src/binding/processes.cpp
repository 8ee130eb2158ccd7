// Training shared by processes that talk by mpi4py (orrery/_together.py).
#include <optional>

#include "bindings.h"

namespace orrery::python {
namespace {

// Where bytes lie: Python reads and writes them there.
nb::object view_of(std::span<const std::byte> bytes) {
  auto* begin = const_cast<char*>(reinterpret_cast<const char*>(bytes.data()));
  return nb::steal(
      PyMemoryView_FromMemory(begin, static_cast<Py_ssize_t>(bytes.size()), PyBUF_READ));
}
nb::object view_of(std::span<std::byte> bytes) {
  return nb::steal(PyMemoryView_FromMemory(reinterpret_cast<char*>(bytes.data()),
                                           static_cast<Py_ssize_t>(bytes.size()), PyBUF_WRITE));
}

// Calls are made here, and not by Python code, so that a signal is not raised in the midst of one:
// it waits until the engine asks for it. Without the GIL, from the thread that came from Python.
class MpiCarrier final : public Carrier {
 public:
  // `byte` is MPI.BYTE; the communicators are for nothing else.
  MpiCarrier(nb::object exchanges, nb::object farewells, nb::object byte)
      : exchanges_(std::move(exchanges)),
        farewells_(std::move(farewells)),
        byte_(std::move(byte)),
        rank_(nb::cast<int>(exchanges_.attr("Get_rank")())),
        size_(nb::cast<int>(exchanges_.attr("Get_size")())) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void begin_gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                    std::span<std::byte> all) override {
    call([&] {
      pending_ = exchanges_.attr("Iallgatherv")(message(view_of(own)), cut(view_of(all), counts));
    });
  }
  void begin_share(std::span<std::byte> bytes, int root) override {
    call([&] { pending_ = exchanges_.attr("Ibcast")(message(view_of(bytes)), root); });
  }
  void begin_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                     std::span<std::byte> received) override {
    const std::vector<std::size_t> own(counts.size(), counts[static_cast<std::size_t>(rank_)]);
    call([&] {
      pending_ =
          exchanges_.attr("Ialltoallv")(cut(view_of(parts), counts), cut(view_of(received), own));
    });
  }
  bool is_done() override { return is_over(pending_); }
  void begin_farewell(std::span<const std::byte> own, std::span<std::byte> all) override {
    call([&] {
      pending_farewell_ =
          farewells_.attr("Iallgather")(message(view_of(own)), message(view_of(all)));
    });
  }
  bool farewell_is_done() override { return is_over(pending_farewell_); }

 private:
  template <class Call>
  static void call(const Call& call) {
    const nb::gil_scoped_acquire gil;
    try {
      call();
    } catch (nb::python_error& error) {
      throw Error(Error::Kind::broken, "MPI: " + std::string(nb::str(error.value()).c_str()));
    }
  }
  static bool is_over(const nb::object& request) {
    bool over = false;
    call([&] { over = nb::cast<bool>(request.attr("Test")()); });
    return over;
  }

  nb::tuple message(const nb::object& view) const { return nb::make_tuple(view, byte_); }
  // The same, in parts that lie one after the other.
  nb::tuple cut(const nb::object& view, std::span<const std::size_t> counts) const {
    nb::list lengths, places;
    std::size_t place = 0;
    for (const std::size_t count : counts) {
      lengths.append(count);
      places.append(place);
      place += count;
    }
    return nb::make_tuple(view, lengths, places, byte_);
  }

  nb::object exchanges_, farewells_, byte_, pending_, pending_farewell_;
  int rank_, size_;
};

// While it lives, trainings of its thread are shared.
class Together {
 public:
  Together(nb::object exchanges, nb::object farewells, nb::object byte)
      : carrier_(std::move(exchanges), std::move(farewells), std::move(byte)) {
    const nb::gil_scoped_release no_gil;
    together_.emplace(carrier_);
  }

  nb::tuple end(const std::string& failure) {
    TrainTogether::Ending ending;
    {
      const nb::gil_scoped_release no_gil;
      ending = together_->end(failure);
      together_.reset();
    }
    return nb::make_tuple(ending.must_end_others, ending.reason);
  }

 private:
  MpiCarrier carrier_;
  std::optional<TrainTogether> together_;
};

}  // namespace

void bind_processes(nb::module_& module) {
  nb::class_<Together>(module, "Together")
      .def(nb::init<nb::object, nb::object, nb::object>(), nb::arg("exchanges"),
           nb::arg("farewells"), nb::arg("byte"))
      .def("end", &Together::end, nb::arg("failure"));
  module.def("told_together", &told_together, nb::arg("text"),
             nb::call_guard<nb::gil_scoped_release>());
  module.def("any_together", &any_together, nb::arg("own"),
             nb::call_guard<nb::gil_scoped_release>());
  module.def("started_together", [] { return process_rank().size; });
}

}  // namespace orrery::python
