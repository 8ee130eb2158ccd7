#include <fmt/format.h>
#include <serd/serd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <exception>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "facts/formats.h"
#include "facts/line_reader.h"
#include "facts/rdf_facts.h"
#include "facts/rdf_nesting.h"
#include "page/text_table.h"

namespace orrery {
namespace {

struct Free {
  void operator()(SerdReader* reader) const { serd_reader_free(reader); }
  void operator()(SerdEnv* env) const { serd_env_free(env); }
};

SerdSyntax serd_syntax(RdfSyntax syntax) {
  switch (syntax) {
    case RdfSyntax::n_triples:
      return SERD_NTRIPLES;
    case RdfSyntax::n_quads:
      return SERD_NQUADS;
    case RdfSyntax::turtle:
      return SERD_TURTLE;
    case RdfSyntax::trig:
      return SERD_TRIG;
  }
  return SERD_TURTLE;
}

std::string_view view(const SerdNode& node) {
  return {reinterpret_cast<const char*>(node.buf), node.n_bytes};
}

struct Problem {
  std::uint64_t line = 0;
  std::string text;
};

// The end of the input is a byte to serd.
std::string in_words(std::string message) {
  constexpr std::string_view end = "`\xFF'";
  if (const std::size_t at = message.find(end); at != std::string::npos)
    message.replace(at, end.size(), "the end");
  while (message.ends_with('\n')) message.pop_back();
  return printable(message);
}

// Feeds serd and takes its statements. Its callbacks are C: no exception may pass them.
class Parser {
 public:
  Parser(RdfFacts& facts, RdfSyntax syntax)
      : facts_(facts),
        env_(serd_env_new(nullptr)),
        reader_(serd_reader_new(serd_syntax(syntax), this, nullptr, on_base, on_prefix,
                                on_statement, nullptr)) {
    if (!env_ || !reader_) fail_broken("serd could not be started");
    serd_reader_set_error_sink(reader_.get(), on_error, this);
  }

  // One line of a format that has a statement a line. False: it is left out, and error() says why.
  bool read_line(std::string_view line, std::uint64_t number) {
    line_ = number;
    error_.clear();
    const std::size_t before = facts_.count();
    if (line.find('\0') != std::string_view::npos) {
      error_ = "a zero byte";
      return false;
    }
    text_.assign(line);
    const SerdStatus status = serd_reader_read_string(
        reader_.get(), reinterpret_cast<const std::uint8_t*>(text_.c_str()));
    rethrow();
    if (status > SERD_FAILURE && error_.empty()) error_ = describe(status);
    if (!error_.empty()) facts_.keep_first(before);
    return error_.empty();
  }

  void read_document(ByteSource& bytes, const std::string& name) {
    constexpr std::size_t page = 4096;
    bytes_ = &bytes;
    const SerdStatus status =
        serd_reader_read_source(reader_.get(), on_read, on_read_error, this,
                                reinterpret_cast<const std::uint8_t*>(name.c_str()), page);
    try {
      rethrow();
    } catch (const Error& error) {
      throw error.at({name});
    }
    if (status > SERD_FAILURE && error_.empty()) error_ = describe(status);
    if (!error_.empty()) {
      fail_request(About{.place = {name, error_line_}}, "this is not the RDF it should be: {}",
                   error_);
    }
  }

  const std::string& error() const { return error_; }

 private:
  static std::string describe(SerdStatus status) {
    return reinterpret_cast<const char*>(serd_strerror(status));
  }

  // Runs what may throw; the exception travels on when serd has returned.
  template <class Work>
  SerdStatus guarded(const Work& work) {
    try {
      return work();
    } catch (...) {
      thrown_ = std::current_exception();
      return SERD_ERR_INTERNAL;
    }
  }
  void rethrow() {
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  }

  static SerdStatus on_base(void* self, const SerdNode* uri) {
    return serd_env_set_base_uri(static_cast<Parser*>(self)->env_.get(), uri);
  }
  static SerdStatus on_prefix(void* self, const SerdNode* name, const SerdNode* uri) {
    return serd_env_set_prefix(static_cast<Parser*>(self)->env_.get(), name, uri);
  }
  static SerdStatus on_statement(void* self, SerdStatementFlags /*flags*/, const SerdNode* graph,
                                 const SerdNode* subject, const SerdNode* predicate,
                                 const SerdNode* object, const SerdNode* /*datatype*/,
                                 const SerdNode* /*language*/) {
    auto& parser = *static_cast<Parser*>(self);
    return parser.guarded([&] { return parser.take(graph, subject, predicate, object); });
  }
  static SerdStatus on_error(void* self, const SerdError* error) {
    auto& parser = *static_cast<Parser*>(self);
    return parser.guarded([&] {
      if (!parser.error_.empty()) return SERD_SUCCESS;
      std::array<char, 400> text = {};
      std::vsnprintf(text.data(), text.size(), error->fmt, *error->args);
      parser.error_ = in_words(text.data());
      parser.error_line_ = error->line;
      return SERD_SUCCESS;
    });
  }
  static std::size_t on_read(void* into, std::size_t size, std::size_t count, void* self) {
    auto& parser = *static_cast<Parser*>(self);
    std::size_t got = 0;
    // After an error the rest is of no use.
    if (!parser.error_.empty() || parser.thrown_) return 0;
    parser.guarded([&] {
      // A short read is the end of the file to serd.
      const std::span<char> page(static_cast<char*>(into), size * count);
      while (got < page.size()) {
        const std::size_t more = parser.bytes_->read(page.subspan(got));
        if (more == 0) break;
        got += more;
      }
      if (!parser.nesting_.pass({page.data(), got})) {
        fail_request("brackets inside brackets, more than {} deep", RdfNesting::deepest);
      }
      return SERD_SUCCESS;
    });
    return parser.thrown_ != nullptr ? 0 : got;
  }
  static int on_read_error(void* self) {
    return static_cast<Parser*>(self)->thrown_ != nullptr ? 1 : 0;
  }

  SerdStatus take(const SerdNode* graph, const SerdNode* subject, const SerdNode* predicate,
                  const SerdNode* object) {
    RdfFacts::Statement statement;
    statement.subject = term(*subject);
    statement.predicate = term(*predicate);
    statement.object = term(*object);
    if (graph != nullptr && graph->type != SERD_NOTHING) statement.graph = term(*graph);
    statement.literal = object->type == SERD_LITERAL;
    statement.line = line_ != 0 ? line_ : facts_.count() + 1;
    if (!error_.empty()) return SERD_ERR_BAD_CURIE;
    facts_.add(statement);
    return SERD_SUCCESS;
  }

  RdfFacts::Term term(const SerdNode& node) {
    if (node.type == SERD_BLANK) return facts_.term(fmt::format("_:{}", view(node)));
    const bool absolute = node.type == SERD_URI && serd_uri_string_has_scheme(node.buf);
    if (node.type == SERD_LITERAL || absolute) return facts_.term(view(node));
    SerdNode whole = serd_env_expand_node(env_.get(), &node);
    if (whole.buf == nullptr) {
      // A relative IRI without a base stays as it is.
      if (node.type == SERD_CURIE && error_.empty()) {
        error_ = fmt::format("the prefix of {} is not declared", view(node));
      }
      return facts_.term(view(node));
    }
    const RdfFacts::Term id = facts_.term(view(whole));
    serd_node_free(&whole);
    return id;
  }

  RdfFacts& facts_;
  std::unique_ptr<SerdEnv, Free> env_;
  std::unique_ptr<SerdReader, Free> reader_;
  ByteSource* bytes_ = nullptr;
  RdfNesting nesting_;
  std::string text_, error_;
  std::uint64_t line_ = 0, error_line_ = 0;
  std::exception_ptr thrown_;
};

class RdfReader final : public RecordReader {
 public:
  RdfReader(std::unique_ptr<ByteSource> bytes, std::string name, RdfSyntax syntax) {
    Parser parser(statements_, syntax);
    if (syntax == RdfSyntax::n_triples || syntax == RdfSyntax::n_quads) {
      LineReader lines(std::move(bytes), std::move(name));
      while (lines.next()) {
        if (!parser.read_line(without_line_end(lines.text()), lines.number())) {
          problems_.push_back(
              {lines.number(), fmt::format("the line is no RDF statement ({})", parser.error())});
        }
      }
    } else {
      parser.read_document(*bytes, name);
    }
    facts_ = statements_.facts();
    for (const RdfFacts::Fact& fact : facts_) {
      intervals_ = intervals_ || fact.start != RdfFacts::none || fact.end != RdfFacts::none;
    }
    titles_ = {"subject", "relation", "object", intervals_ ? "start" : "time"};
    if (intervals_) titles_.emplace_back("end");
    selected_.resize(titles_.size());
    std::iota(selected_.begin(), selected_.end(), std::size_t{0});
  }

  std::span<const std::string> titles() const override { return titles_; }
  void select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
  }

  bool next(Record& record) override {
    const bool facts_left = next_fact_ < facts_.size();
    record.problem = nullptr;
    record.count = selected_.size();
    record.fields.assign(selected_.size(), {});
    if (next_problem_ < problems_.size() &&
        (!facts_left || problems_[next_problem_].line < facts_[next_fact_].line)) {
      const Problem& problem = problems_[next_problem_++];
      record.line = problem.line;
      record.problem = problem.text.c_str();
      return true;
    }
    if (!facts_left) return false;
    const RdfFacts::Fact& fact = facts_[next_fact_++];
    record.line = fact.line;
    // A point in time is a start and an end where others have both.
    const bool point = fact.point != RdfFacts::none;
    const std::array columns = {fact.subject, fact.relation, fact.object,
                                point ? fact.point : fact.start, point ? fact.point : fact.end};
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      record.fields[i] = statements_.text(columns[selected_[i]]);
    }
    return true;
  }

 private:
  RdfFacts statements_;
  std::vector<RdfFacts::Fact> facts_;
  std::vector<Problem> problems_;
  std::vector<std::string> titles_;
  std::vector<std::size_t> selected_;
  std::size_t next_fact_ = 0, next_problem_ = 0;
  bool intervals_ = false;
};

}  // namespace

bool reads_rdf() { return true; }

std::unique_ptr<RecordReader> read_rdf(std::unique_ptr<ByteSource> bytes, std::string name,
                                       RdfSyntax syntax) {
  return std::make_unique<RdfReader>(std::move(bytes), std::move(name), syntax);
}

}  // namespace orrery
