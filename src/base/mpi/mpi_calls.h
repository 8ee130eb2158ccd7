// What liborrery asks of an MPI library, by way of a module that is loaded when mpirun or srun has
// started several processes: MPI libraries are not alike in their binaries, bring much with them,
// and must be the one that the launcher (or mpi4py) uses.
#pragma once

extern "C" {

// Functions give 0, or MPI's code of an error. Of a gather, a share or a scatter one is under way
// at a time; so is one farewell, which does not mind the others.
struct OrreryMpiCalls {
  int version;
  int (*join)(int* rank, int* size);  // starts MPI unless somebody has
  void (*leave)(void);                // ends it if join() started it
  void (*end_all)(int code);          // ends every process
  int (*gather)(const void* own, int own_bytes, void* all, const int* counts, const int* places);
  int (*share)(void* bytes, int count, int root);
  int (*scatter)(const void* parts, const int* counts, const int* places, void* received,
                 const int* received_counts, const int* received_places);
  int (*farewell)(const void* own, int bytes, void* all);
  int (*is_done)(int* done);
  int (*farewell_is_done)(int* done);
  void (*describe)(int error, char* text, int length);
};

enum { orrery_mpi_version = 1 };

typedef const struct OrreryMpiCalls* (*OrreryMpiModule)(void);  // its name is "orrery_mpi"
}
