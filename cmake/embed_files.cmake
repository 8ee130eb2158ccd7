# cmake -DFOLDER=… -DPATTERNS=… -DSOURCE=… -DHEADER=… -DTYPE=… -DFUNCTION=… -P: writes the C++ source
# that holds the folder's files.
string(REPLACE "," ";" PATTERNS "${PATTERNS}")
list(TRANSFORM PATTERNS PREPEND ${FOLDER}/)
file(GLOB_RECURSE files RELATIVE ${FOLDER} ${PATTERNS})
list(SORT files)
set(entries "")
foreach(name IN LISTS files)
  file(READ ${FOLDER}/${name} text)
  string(APPEND entries "    {\"${name}\", R\"embedded(${text})embedded\"},\n")
endforeach()
file(WRITE ${SOURCE} "#include \"${HEADER}\"

namespace orrery {

std::span<const ${TYPE}> ${FUNCTION}() {
  static constexpr ${TYPE} files[] = {
${entries}  };
  return files;
}

}  // namespace orrery
")
