// cpp-httplib reads requests and writes responses. What it does not limit (heads, slow clients,
// connections, bodies in chunks) is limited by our Connection under it.
#include "http/listener.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "http/connection.h"

namespace orrery {
namespace {

// Later versions of the library ask for more functions, so none is marked as overriding.
class ConnectionStream : public httplib::Stream {
 public:
  explicit ConnectionStream(Connection& connection) : connection_(connection) {}

  bool is_readable() const { return connection_.readable(); }
  bool wait_readable() const { return connection_.readable(); }
  bool is_writable() const { return true; }
  bool wait_writable() const { return true; }
  ssize_t read(char* bytes, size_t size) { return connection_.read(bytes, size); }
  ssize_t write(const char* bytes, size_t size) {
    connection_.write({bytes, size});
    return static_cast<ssize_t>(size);
  }
  void get_remote_ip_and_port(std::string&, int&) const {}
  void get_local_ip_and_port(std::string&, int&) const {}
  socket_t socket() const { return connection_.socket(); }
  time_t duration() const { return 0; }

 private:
  Connection& connection_;
};

// A thread a connection, kept for the next one. Where all are busy, one more takes the place of a
// connection that is given up; where there is none, the task is run at once as a refusal, which
// only writes a few bytes.
class ConnectionThreads : public httplib::TaskQueue {
 public:
  using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));

  // `give_one_up` says whether there was one.
  ConnectionThreads(std::size_t most, std::function<bool()> give_one_up)
      : most_(most), give_one_up_(std::move(give_one_up)) {}

  Enqueued enqueue(std::function<void()> task) override {
    if (has_room() || give_one_up_()) {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
      if (tasks_.size() > idle_ && threads_.size() < most_)
        threads_.emplace_back([this] { work(); });
      wake_.notify_one();
      return Enqueued(true);
    }
    refusing = true;
    task();
    refusing = false;
    return Enqueued(true);
  }

  void shutdown() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  static thread_local bool refusing;

 private:
  // Only the one thread that accepts connections fills it.
  bool has_room() {
    const std::lock_guard lock(mutex_);
    return tasks_.size() < idle_ || threads_.size() < most_;
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      ++idle_;
      wake_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
      --idle_;
      if (tasks_.empty()) return;
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      lock.lock();
    }
  }

  std::size_t most_, idle_ = 0;
  std::function<bool()> give_one_up_;
  bool ended_ = false;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::list<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
};
thread_local bool ConnectionThreads::refusing = false;

// The request that a thread is at.
struct Turn {
  Connection* connection = nullptr;
  HttpRequest request = {};
  bool closes = false;  // what is left of the request is never read
};
thread_local Turn turn;

void fill(httplib::Response& to, HttpResponse&& from) {
  to.status = from.status;
  to.set_content(std::move(from.body), from.content_type);
  for (auto& [name, value] : from.headers) to.set_header(name, value);
  if (turn.closes) to.set_header("Connection", "close");
}

HttpRequest head_of(const httplib::Request& from) {
  HttpRequest head{.method = from.method,
                   .path = from.path,
                   .query = {from.params.begin(), from.params.end()},
                   .headers = {},
                   .body = {},
                   .begun = turn.connection->begun()};
  for (const auto& [name, value] : from.headers) {
    std::string lower = name;
    for (char& c : lower)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    head.headers.emplace_back(std::move(lower), value);
  }
  return head;
}

const char* reason_of(int status) {
  switch (status) {
    case 408:
      return "Request Timeout";
    case 431:
      return "Request Header Fields Too Large";
    case 503:
      return "Service Unavailable";
    default:
      return "Bad Request";
  }
}

bool has_body(const HttpRequest& head) {
  const std::string* length = head.header("content-length");
  return (length && *length != "0") || head.header("transfer-encoding");
}

}  // namespace

struct Listener::State : private httplib::Server {
  State(const ServeLimits& given, HttpHandler& asked)
      : limits(given), handler(asked), stop_event(eventfd(0, EFD_CLOEXEC)) {
    if (stop_event < 0) fail_broken("the system has no more descriptors");
    new_task_queue = [this] {
      return std::make_unique<ConnectionThreads>(limits.connections,
                                                 [this] { return give_one_up(); })
          .release();
    };
    // Its own would let a second server take the same port without a word.
    set_socket_options([](int socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    set_keep_alive_timeout(std::chrono::ceil<std::chrono::seconds>(limits.idle).count());
    set_keep_alive_max_count(1'000'000);
    set_payload_max_length(limits.body_bytes);
    set_pre_routing_handler([this](const httplib::Request& head, httplib::Response& response) {
      return answer_head(head, response) ? HandlerResponse::Handled : HandlerResponse::Unhandled;
    });
    Post(".*", [this](const httplib::Request&, httplib::Response& response,
                      const httplib::ContentReader& read) { answer(read, response); });
    set_error_handler(
        HandlerWithResponse([this](const httplib::Request& request, httplib::Response& response) {
          if (response.body.empty()) refuse(request, response);
          return HandlerResponse::Handled;
        }));
    set_exception_handler([this](const httplib::Request&, httplib::Response& response, auto) {
      turn.closes = true;
      fill(response, handler.refuse(500, turn.request));
    });
  }
  ~State() override {
    stop_now();
    close(stop_event);
  }

  void start(const std::string& host, int wanted) {
    constexpr int last_port = 65535;  // greater numbers would be cut to another port
    if (wanted < 0 || wanted > last_port)
      fail_request(About{.option = "port"}, "{} is no port; they are 0 to {}", wanted, last_port);
    port = wanted == 0 ? bind_to_any_port(host) : bind_to_port(host, wanted) ? wanted : -1;
    if (port < 0)
      fail_request(About{.option = "port", .advice = worded("choose another $port or $host")},
                   "cannot listen at {} port {}: it is taken, not allowed, or not of this machine",
                   host, wanted);
    constexpr int many_at_once = 512;  // the library's own is 5
    listen_socket(many_at_once);
    accepting = std::thread([this] { listen_after_bind(); });
    while (!is_running()) std::this_thread::yield();
  }
  void listen_socket(int backlog) { ::listen(svr_sock_, backlog); }

  bool stop_now() {
    if (!accepting.joinable()) return true;
    stop();
    eventfd_write(stop_event, 1);
    std::unique_lock lock(mutex);
    const bool all = changed.wait_for(lock, limits.draining, [this] { return open.empty(); });
    for (const Connection* connection : open) shutdown(connection->socket(), SHUT_RDWR);
    lock.unlock();
    accepting.join();
    return all;
  }

  // Overrides what the library does with a connection, as its own TLS server does.
  bool process_and_close_socket(socket_t socket) override {
    Connection connection(socket, stop_event, limits);
    turn = {&connection};
    if (ConnectionThreads::refusing) {
      send_refusal(503);
      return true;
    }
    note_open(connection, true);
    ConnectionStream stream(connection);
    while (!turn.closes && connection.await_request()) {
      turn = {&connection};
      bool client_closes = false;
      const bool written = ask_library(*this, stream, client_closes);
      if (!written && connection.fault() != Connection::Fault::none)
        send_refusal(status_of(connection.fault(), 400));
      if (!written || client_closes) turn.closes = true;
      if (!turn.closes && !connection.send()) turn.closes = true;
    }
    connection.finish();
    note_open(connection, false);
    return true;
  }

  template <class Self>
  static bool ask_library(Self& self, httplib::Stream& stream, bool& client_closes) {
    // Ranges and compression are not for answers of a few kilobytes, and ask for trouble.
    const std::function<void(httplib::Request&)> simplify = [](httplib::Request& request) {
      request.ranges.clear();
      request.headers.erase("Accept-Encoding");
    };
    if constexpr (requires { self.process_request(stream, false, client_closes, simplify); })
      return self.process_request(stream, false, client_closes, simplify);
    else
      return self.process_request(stream, "", 0, "", 0, false, client_closes, simplify);
  }

  bool answer_head(const httplib::Request& head, httplib::Response& response) {
    turn.connection->end_head();
    turn.request = head_of(head);
    std::optional<HttpResponse> answered = handler.answer_head(turn.request);
    if (!answered) return false;
    if (has_body(turn.request)) turn.closes = true;
    fill(response, std::move(*answered));
    return true;
  }

  void answer(const httplib::ContentReader& read, httplib::Response& response) {
    std::string& body = turn.request.body;
    bool too_large = false;
    const bool whole = read([&](const char* bytes, std::size_t size) {
      too_large = body.size() + size > limits.body_bytes;
      if (!too_large) body.append(bytes, size);
      return !too_large;
    });
    if (!whole) {
      turn.closes = true;
      fill(response,
           handler.refuse(
               too_large || response.status == 413 ? 413 : status_of(turn.connection->fault(), 400),
               turn.request));
      return;
    }
    fill(response, handler.answer(turn.request));
  }

  // What the library itself has refused.
  void refuse(const httplib::Request& request, httplib::Response& response) {
    turn.closes = true;
    if (turn.request.method.empty()) turn.request = head_of(request);
    fill(response,
         handler.refuse(status_of(turn.connection->fault(), response.status), turn.request));
  }

  static int status_of(Connection::Fault fault, int otherwise) {
    if (fault == Connection::Fault::head_too_large) return 431;
    return fault == Connection::Fault::too_slow ? 408 : otherwise;
  }

  // Where the library has no part in it.
  void send_refusal(int status) {
    turn.closes = true;
    const HttpResponse response = handler.refuse(status, turn.request);
    std::string text =
        fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\n", status, reason_of(status));
    for (const auto& [name, value] : response.headers)
      text += fmt::format("{}: {}\r\n", name, value);
    text += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n\r\n{}", response.content_type,
                        response.body.size(), response.body);
    turn.connection->write(text);
    if (ConnectionThreads::refusing) turn.connection->send();
  }

  void note_open(Connection& connection, bool is_open) {
    const std::lock_guard lock(mutex);
    if (is_open)
      open.insert(&connection);
    else
      open.erase(&connection);
    changed.notify_all();
  }

  // Whoever has been silent for longest makes room, be it between requests or in the middle of a
  // head; but a second is everyone's.
  bool give_one_up() {
    const std::lock_guard lock(mutex);
    Connection* silent = nullptr;
    auto since = Connection::Clock::now() - std::chrono::seconds(1);
    for (Connection* const one : open) {
      const auto awaited = one->awaited();
      if (awaited == Connection::Clock::time_point() || awaited > since) continue;
      since = awaited;
      silent = one;
    }
    if (silent == nullptr) return false;
    open.erase(silent);  // so that the next one is another
    shutdown(silent->socket(), SHUT_RDWR);
    return true;
  }

  const ServeLimits limits;
  HttpHandler& handler;
  int stop_event, port = 0;
  std::thread accepting;
  std::mutex mutex;
  std::condition_variable changed;
  std::set<Connection*> open;
};

void require_http() {}

Listener::Listener(const std::string& host, int port, const ServeLimits& limits,
                   HttpHandler& handler)
    : state_(std::make_unique<State>(limits, handler)) {
  state_->start(host, port);
}
Listener::~Listener() = default;

int Listener::port() const { return state_->port; }
bool Listener::stop() { return state_->stop_now(); }

}  // namespace orrery
