// The module that knows MPI; see mpi_calls.h.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/mpi/mpi_calls.h"

namespace {

MPI_Comm training = MPI_COMM_NULL, goodbyes = MPI_COMM_NULL;
MPI_Request pending = MPI_REQUEST_NULL, pending_farewell = MPI_REQUEST_NULL;
bool started_here = false;

int own_communicator(MPI_Comm& made) {
  if (const int error = MPI_Comm_dup(MPI_COMM_WORLD, &made); error != MPI_SUCCESS) return error;
  return MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN);
}

int join(int* rank, int* size) {
  int started = 0, ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0) return MPI_ERR_OTHER;
  MPI_Initialized(&started);
  if (started == 0) {
    int level = 0;
    const int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level);
    if (error != MPI_SUCCESS) return error;
    started_here = true;
  }
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  if (const int error = own_communicator(training); error != MPI_SUCCESS) return error;
  return own_communicator(goodbyes);
}

void leave() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (started_here && ended == 0) MPI_Finalize();
}

void end_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

int gather(const void* own, int own_bytes, void* all, const int* counts, const int* places) {
  return MPI_Iallgatherv(own, own_bytes, MPI_BYTE, all, counts, places, MPI_BYTE, training,
                         &pending);
}

int share(void* bytes, int count, int root) {
  return MPI_Ibcast(bytes, count, MPI_BYTE, root, training, &pending);
}

int scatter(const void* parts, const int* counts, const int* places, void* received,
            const int* received_counts, const int* received_places) {
  return MPI_Ialltoallv(parts, counts, places, MPI_BYTE, received, received_counts, received_places,
                        MPI_BYTE, training, &pending);
}

int farewell(const void* own, int bytes, void* all) {
  return MPI_Iallgather(own, bytes, MPI_BYTE, all, bytes, MPI_BYTE, goodbyes, &pending_farewell);
}

int is_done(int* done) { return MPI_Test(&pending, done, MPI_STATUS_IGNORE); }
int farewell_is_done(int* done) { return MPI_Test(&pending_farewell, done, MPI_STATUS_IGNORE); }

void describe(int error, char* text, int length) {
  std::array<char, MPI_MAX_ERROR_STRING> words{};
  int count = 0;
  if (MPI_Error_string(error, words.data(), &count) != MPI_SUCCESS) count = 0;
  const int kept = std::min(count, length - 1);
  std::memcpy(text, words.data(), static_cast<std::size_t>(kept));
  text[kept] = '\0';
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const OrreryMpiCalls* orrery_mpi() {
  static const OrreryMpiCalls calls = {
      orrery_mpi_version, join,    leave, end_all, gather, share, scatter, farewell, is_done,
      farewell_is_done,   describe};
  return &calls;
}
