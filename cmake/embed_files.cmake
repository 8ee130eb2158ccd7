# cmake -DFOLDER=… -DSOURCE=… -P: writes the C++ source that holds the folder's files.
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${FOLDER}/*.toml ${FOLDER}/*.tsv)
list(SORT files)
set(entries "")
foreach(name IN LISTS files)
  file(READ ${FOLDER}/${name} text)
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${SOURCE} "#include \"paper/paper_files.h\"

namespace orrery {

std::span<const PaperFile> built_in_paper_files() {
  static constexpr PaperFile files[] = {
${entries}  };
  return files;
}

}  // namespace orrery
")
