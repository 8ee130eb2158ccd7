// The scalar leaves of JSON objects as columns: a tree of keys, and a title "a.b" for every leaf.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace orrery {

class JsonPaths {
 public:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct Node {
    std::vector<std::string> keys;
    std::vector<std::size_t> children;  // nodes, one a key
    std::size_t column = none;
  };

  std::size_t root() const { return 0; }
  const Node& node(std::size_t index) const { return nodes_[index]; }
  const std::vector<std::string>& titles() const { return titles_; }

  // The child of this key, or none. Objects of a file mostly have their keys in one order: `hint`
  // is where the last key was found.
  std::size_t find(std::size_t parent, std::string_view key, std::size_t& hint) const {
    const Node& node = nodes_[parent];
    for (std::size_t i = 0; i < node.keys.size(); ++i) {
      if (hint == node.keys.size()) hint = 0;
      const std::size_t at = hint++;
      if (node.keys[at] == key) return node.children[at];
    }
    return none;
  }

  std::size_t add(std::size_t parent, std::string_view key) {
    std::size_t hint = 0;
    const std::size_t known = find(parent, key, hint);
    if (known != none) return known;
    nodes_[parent].keys.emplace_back(key);
    nodes_[parent].children.push_back(nodes_.size());
    nodes_.emplace_back();
    return nodes_.size() - 1;
  }

  // Two leaves may have one path: {"a.b": 1} and {"a": {"b": 1}}.
  void make_leaf(std::size_t index, const std::string& path) {
    nodes_[index].column = add_title(path);
  }
  // A column that is no leaf.
  std::size_t add_title(const std::string& title) {
    const auto [at, is_new] = column_of_.try_emplace(title, titles_.size());
    if (is_new) titles_.push_back(title);
    return at->second;
  }
  std::size_t column_titled(const std::string& title) const {
    const auto at = column_of_.find(title);
    return at == column_of_.end() ? none : at->second;
  }

 private:
  std::vector<Node> nodes_ = std::vector<Node>(1);
  std::vector<std::string> titles_;
  std::unordered_map<std::string, std::size_t> column_of_;
};

}  // namespace orrery
