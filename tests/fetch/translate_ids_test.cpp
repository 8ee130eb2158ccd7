#include "fetch/translate_ids.h"

#include <gtest/gtest.h>

#include "fetch/world.h"

namespace orrery {
namespace {

class Translate : public FetchWorld {
 protected:
  std::string translated(const std::string& entities, const std::string& relations,
                         const std::string& facts) {
    put(scratch_ / "entities", entities);
    put(scratch_ / "relations", relations);
    put(scratch_ / "facts", facts);
    return translate_ids(scratch_ / "facts", "train", IdNames(scratch_ / "entities", "entity2id"),
                         IdNames(scratch_ / "relations", "relation2id"));
  }
  Error problem(const std::string& entities, const std::string& relations,
                const std::string& facts) {
    const Error error = caught([&] { translated(entities, relations, facts); });
    EXPECT_EQ(error.kind(), Error::Kind::request);
    return error;
  }
};

TEST_F(Translate, TheIdsMayStandInEitherColumn) {
  EXPECT_EQ(translated(entity_ids_, relation_ids_, id_facts_), named_facts_);
  EXPECT_EQ(translated("0\t<Bob \u00a0>\n1\t<Ann>\n", "0\t<knows>\n", id_facts_), named_facts_);
}

TEST_F(Translate, NumbersMayBeNames) {
  EXPECT_EQ(translated("360\t0\n1984\t1\n", "<before>\t0\n", "0\t0\t1\t1\t2\n"),
            "360\t<before>\t1984\t1\t2\n");
}

TEST_F(Translate, ForeignLineEndsAndAMissingLastOneAreFine) {
  EXPECT_EQ(translated("a\t0\r\nb\t1", "r\t0\r\n", "0\t0\t1\t1\t2\r\n1\t0\t0\t3\t4"),
            "a\tr\tb\t1\t2\nb\tr\ta\t3\t4\n");
}

TEST_F(Translate, DamageIsNamedWithFileAndLine) {
  EXPECT_EQ(problem("a\t0\nb\t1\n", "r\t0\n", "0\t0\t1\t1\t2\n0\t0\t2\t1\t2\n").place(),
            (Place{"train", 2}));
  EXPECT_EQ(problem("a\t0\n", "r\t0\n", "0\t0\n").place(), (Place{"train", 1}));
  EXPECT_EQ(problem("a\t0\n", "r\t0\n", "0\t0\t0\n").place(), (Place{"train", 1}));
  EXPECT_EQ(problem("a\t0\n", "r\t0\n", "x\t0\t0\t1\t2\n").message(), "entity2id has no id \"x\"");
  EXPECT_EQ(problem("a\t0\nb\n", "r\t0\n", "").place(), (Place{"entity2id", 2}));
}

TEST_F(Translate, IdsMustBeDenseAndDistinct) {
  EXPECT_EQ(problem("a\t0\nb\t2\n", "r\t0\n", "").place(), Place{"entity2id"});
  EXPECT_EQ(problem("a\t0\nb\t0\n", "r\t0\n", "").place(), Place{"entity2id"});
  EXPECT_EQ(problem("a\t0\n", "r\ts\n", "").place(), Place{"relation2id"});
  EXPECT_EQ(problem("", "r\t0\n", "0\t0\t0\t1\t2\n").place(), (Place{"train", 1}));
}

}  // namespace
}  // namespace orrery
