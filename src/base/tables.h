/* Tables of functions that rooms above define, so that rooms below can call them. A table is constant: compilers call
   its functions directly. If no room defines a table, its functions are NULL; AUTOTUNE__EMPTY_TABLE() says so in C++.
   src/README.md says how doors are made of tables. */
#pragma once

#ifdef __cplusplus                              /* which has no tentative definitions */
#define AUTOTUNE__DECLARE_TABLE(type, name)         namespace { extern const type name; }
#define AUTOTUNE__DEFINE_TABLE(type, name, ...)     namespace { const type name = { __VA_ARGS__ }; }
#define AUTOTUNE__EMPTY_TABLE(type, name)           namespace { const type name = {}; }
#else
#define AUTOTUNE__DECLARE_TABLE(type, name)         static const type name;
#define AUTOTUNE__DEFINE_TABLE(type, name, ...)     static const type name = { __VA_ARGS__ };
#define AUTOTUNE__EMPTY_TABLE(type, name)
#endif
