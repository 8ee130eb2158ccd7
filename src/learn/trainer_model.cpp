// The model that a training ends with: of the best validated epoch, else of the last.
#include "base/agreement.h"
#include "learn/final_values.h"
#include "learn/options.h"
#include "learn/run_saver.h"
#include "learn/trainer.h"

namespace orrery {

const ModelHeader& Trainer::model_header() {
  header_.started_from = progress_.started_from;
  header_.epoch = progress_.best ? progress_.best_epoch : progress_.epoch - 1;
  return header_;
}

ModelHeader Trainer::take_model_header() {
  model_header();
  return std::move(header_);
}

bool Trainer::is_history(std::size_t table) const { return engine_->tables()[table].row == no_row; }

// Of the rows that the engine has. It is left with the history that was fitted, since that is asked
// for what answers mean.
void Trainer::fit_engine(bool history, bool answers) {
  if (history) {
    const std::size_t table = engine_->tables().size() - 1;
    const std::vector<float> learned = read_table(*engine_, table, State::value);
    try {
      fitted_worth_ = fits_.history(*engine_, learned);
    } catch (...) {
      engine_->write(table, State::value, learned);
      throw;
    }
    engine_->write(table, State::value, fitted_worth_);
    header_.history_fitted = true;
  }
  if (!answers) return;
  AnswerFits found = fits_.answers(*engine_);
  header_.calibration = found.calibration;
  header_.when = std::move(found.when);
}

void Trainer::fit_model() {
  const bool history = has_history(options_) && fits_.history;
  const bool answers = static_cast<bool>(fits_.answers);
  if (progress_.best) {
    fit_best_model(history, answers);
    return;
  }
  const FinalValues model(*engine_);
  const std::size_t table = engine_->tables().size() - 1;
  const std::vector<float> learned =
      history ? read_table(*engine_, table, State::value) : std::vector<float>();
  fit_engine(history, answers);
  if (history) engine_->write(table, State::value, learned);
}

// The engine has other rows by now; it gets them back.
void Trainer::fit_best_model(bool history, bool answers) {
  by_leader(processes_, [&] {
    if (!best_rows_.empty()) return;
    auto best = saver_->best_model();  // of an earlier process, which may have fitted it
    history = history && !best.fitted;
    answers = answers && !best.calibrated;
    header_.history_fitted = best.fitted;
    if (history || answers) best_rows_ = std::move(best.rows);
  });
  if (processes_ != nullptr) {
    history = processes_->decided_by_leader(history);
    answers = processes_->decided_by_leader(answers);
  }
  if (!history && !answers) return;
  exchange_with_best();
  try {
    fit_engine(history, answers);
  } catch (const StoppedJudging&) {
    exchange_with_best();
    throw;
  }
  exchange_with_best();
  if (saver_ != nullptr) saver_->note_best();
}

void Trainer::exchange_with_best() {
  engine_->lead([&] {
    for (std::size_t t = 0; t < best_rows_.size(); ++t) {
      std::vector<float> held = read_table(*engine_, t, State::value);
      engine_->write(t, State::value, best_rows_[t]);
      best_rows_[t] = std::move(held);
    }
  });
}

RowSource Trainer::model_rows() {
  if (progress_.best)
    return [this](std::size_t t) {
      return std::span<const float>(is_history(t) && !fitted_worth_.empty() ? fitted_worth_
                                                                            : best_rows_.at(t));
    };
  return [this](std::size_t t) {
    if (is_history(t) && !fitted_worth_.empty()) return std::span<const float>(fitted_worth_);
    const FinalValues model(*engine_);
    asked_table_ = read_table(*engine_, t, State::value, std::move(asked_table_));
    return std::span<const float>(asked_table_);
  };
}

TableRows Trainer::take_model_rows() {
  const FinalValues model(*engine_);
  TableRows rows = progress_.best ? std::move(best_rows_) : read_rows(*engine_, State::value);
  if (progress_.best && processes_ != nullptr) {
    rows.resize(engine_->tables().size());
    for (std::size_t t = 0; t < rows.size(); ++t) {
      const TableSpec& table = engine_->tables()[t];
      rows[t].resize(static_cast<std::size_t>(table.count) * static_cast<std::size_t>(table.width));
      processes_->share(std::span<float>(rows[t]));
    }
  }
  if (!fitted_worth_.empty()) rows.back() = std::move(fitted_worth_);
  return rows;
}

}  // namespace orrery
