#pragma once

#include <sqlite3.h>

/// Says whether "text" in double quotes may be a string. Swift does not import functions of any number of arguments.
static inline void ferry_allow_quoted_strings(sqlite3 *database, int isAllowed) {
#ifdef SQLITE_DBCONFIG_DQS_DML
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, isAllowed, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, isAllowed, (int *)0);
#endif
}

/// Removes the modules of virtual tables, except those of two functions that return the parts of a JSON text: they only read their argument.
static inline void ferry_drop_modules(sqlite3 *database) {
  const char *kept[] = {"json_each", "json_tree", (const char *)0};
  sqlite3_drop_modules(database, kept);
}
