#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <cctype>
#include <fstream>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "facts/formats.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Database = std::unique_ptr<sqlite3, Close>;
using Statement = std::unique_ptr<sqlite3_stmt, Close>;

constexpr const char* syntax = "facts.db?select=source,type,target,valid_at from edges";
// Subject, relation and object; a table of fewer columns holds no facts.
constexpr std::size_t fewest_columns = 3;

void check_kind(const std::string& file) {
  std::ifstream input(file, std::ios::binary);
  if (!input) fail_request(About{.place = {file}}, "cannot be opened");
  std::string start(16, '\0');
  input.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (start != std::string_view("SQLite format 3\0", 16)) {
    fail_request(About{.place = {file}}, "is not an SQLite file");
  }
}

[[noreturn]] void fail_reading(sqlite3* database, const std::string& file) {
  // A damaged file may claim sizes that no memory holds, or end early: only the disk's own faults
  // are not the file's.
  const int code = sqlite3_extended_errcode(database);
  if ((code & 0xFF) == SQLITE_IOERR && code != SQLITE_IOERR_SHORT_READ) {
    fail_broken(About{.place = {file}}, "cannot be read: {}", sqlite3_errmsg(database));
  }
  fail_request(About{.place = {file}}, "SQLite cannot read it: {}", sqlite3_errmsg(database));
}

Database open_database(const std::string& file) {
  check_kind(file);
  sqlite3* opened = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
  Database database(opened);
  if (database == nullptr) fail_broken(About{.place = {file}}, "SQLite could not be started");
  if (status != SQLITE_OK) fail_reading(database.get(), file);
  sqlite3_busy_timeout(database.get(), 5000);
  return database;
}

Statement prepare(sqlite3* database, const std::string& query, const char** rest) {
  sqlite3_stmt* prepared = nullptr;
  sqlite3_prepare_v2(database, query.c_str(), static_cast<int>(query.size()) + 1, &prepared, rest);
  return Statement(prepared);
}

std::string_view text_of(sqlite3_stmt* row, int column) {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  if (text == nullptr) return {};
  return {text, static_cast<std::size_t>(sqlite3_column_bytes(row, column))};
}

std::string in_quotes(std::string_view name) {
  std::string result = "\"";
  for (const char c : name) result.append(c == '"' ? 2 : 1, c);
  return result + "\"";
}

struct Table {
  std::string name;
  std::vector<std::string> columns;
};

std::vector<Table> tables_of(sqlite3* database, const std::string& file) {
  const char* rest = nullptr;
  const Statement names = prepare(database,
                                  "select name from sqlite_master where type in ('table', 'view') "
                                  "and name not like 'sqlite\\_%' escape '\\' order by name",
                                  &rest);
  if (!names) fail_reading(database, file);
  std::vector<Table> tables;
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(names.get())) == SQLITE_ROW) {
    Table table{std::string(text_of(names.get(), 0)), {}};
    const Statement all = prepare(database, "select * from " + in_quotes(table.name), &rest);
    // A view over a table that is gone has no columns.
    for (int i = 0; all && i < sqlite3_column_count(all.get()); ++i) {
      table.columns.emplace_back(sqlite3_column_name(all.get(), i));
    }
    tables.push_back(std::move(table));
  }
  if (status != SQLITE_DONE) fail_reading(database, file);
  return tables;
}

// All rows of the one table that can hold facts.
std::string query_of_table(sqlite3* database, const std::string& file) {
  const std::vector<Table> tables = tables_of(database, file);
  if (tables.empty()) fail_request(About{.place = {file}}, "the database holds no table");
  std::vector<const Table*> wide;
  std::vector<std::string> known;
  for (const Table& table : tables) {
    if (table.columns.size() >= fewest_columns) wide.push_back(&table);
    known.push_back(fmt::format("{}({})", table.name, fmt::join(table.columns, ", ")));
  }
  if (wide.size() == 1) return "select * from " + in_quotes(wide.front()->name);
  fail_request(About{.place = {file}, .advice = fmt::format("say which by a query: {}", syntax)},
               "{} tables of the database could hold the facts; it has {}", wide.size(),
               fmt::join(known, ", "));
}

bool reads_only(std::string_view query) {
  while (!query.empty() && std::isspace(static_cast<unsigned char>(query.front())) != 0) {
    query.remove_prefix(1);
  }
  std::string word;
  for (const char c : query.substr(0, 6)) {
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return word == "select" || word.starts_with("with");
}

// `?select=source,…` as an address would have it, and `?select source,…` as SQL.
std::string as_sql(std::string query) {
  constexpr std::string_view select = "select=";
  const bool address = query.size() > select.size() && query[select.size() - 1] == '=';
  if (address && reads_only(query)) query[select.size() - 1] = ' ';
  return query;
}

class SqliteReader final : public RecordReader {
 public:
  SqliteReader(const std::filesystem::path& file, std::string query)
      : file_(file.string()), database_(open_database(file_)) {
    query = query.empty() ? query_of_table(database_.get(), file_) : as_sql(std::move(query));
    const About about{.place = {file_}, .advice = fmt::format("a query looks so: {}", syntax)};
    if (!reads_only(query))
      fail_request(about, "{} is no query: it must be a select", shown(query));
    const char* rest = nullptr;
    rows_ = prepare(database_.get(), query, &rest);
    if (!rows_) {
      fail_request(about, "SQLite refuses {}: {}", shown(query), sqlite3_errmsg(database_.get()));
    }
    if (sqlite3_stmt_readonly(rows_.get()) == 0) {
      fail_request(about, "{} would change the database", shown(query));
    }
    while (*rest == ';' || std::isspace(static_cast<unsigned char>(*rest)) != 0) ++rest;
    if (*rest != '\0') fail_request(about, "{} is more than one query", shown(query));
    for (int i = 0; i < sqlite3_column_count(rows_.get()); ++i) {
      titles_.emplace_back(sqlite3_column_name(rows_.get(), i));
    }
    selected_.resize(titles_.size());
    std::iota(selected_.begin(), selected_.end(), std::size_t{0});
  }

  std::span<const std::string> titles() const override { return titles_; }
  void select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
  }

  bool next(Record& record) override {
    if (ended_) return false;
    const int status = sqlite3_step(rows_.get());
    ended_ = status == SQLITE_DONE;
    if (ended_) return false;
    if (status != SQLITE_ROW) fail_reading(database_.get(), file_);
    record.line = ++row_;
    record.problem = nullptr;
    record.count = selected_.size();
    record.fields.assign(selected_.size(), {});
    for (std::size_t i = 0; i < selected_.size(); ++i) {
      const int column = static_cast<int>(selected_[i]);
      if (sqlite3_column_type(rows_.get(), column) == SQLITE_BLOB) {
        record.problem = "a column of the row holds bytes (a blob), not text";
      } else {
        record.fields[i] = text_of(rows_.get(), column);
      }
    }
    return true;
  }

 private:
  std::string file_;
  Database database_;
  Statement rows_;  // after database_: it is finalised first
  std::vector<std::string> titles_;
  std::vector<std::size_t> selected_;
  std::uint64_t row_ = 0;
  bool ended_ = false;
};

}  // namespace

bool reads_sqlite() { return true; }

std::unique_ptr<RecordReader> read_sqlite(const std::filesystem::path& file,
                                          const std::string& query) {
  return std::make_unique<SqliteReader>(file, query);
}

}  // namespace orrery
