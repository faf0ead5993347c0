/* Tables of functions: a higher room defines a table, and lower rooms call its functions. A table is constant, so
   compilers call its functions directly. If no room defines a table, its functions are NULL. In C++ this needs
   AUTOTUNE__EMPTY_TABLE(). src/README.md says how doors use tables. */
#pragma once

#ifdef __cplusplus                              /* C++ has no tentative definitions */
#define AUTOTUNE__DECLARE_TABLE(type, name)         namespace { extern const type name; }
#define AUTOTUNE__DEFINE_TABLE(type, name, ...)     namespace { const type name = { __VA_ARGS__ }; }
#define AUTOTUNE__EMPTY_TABLE(type, name)           namespace { const type name = {}; }
#else
#define AUTOTUNE__DECLARE_TABLE(type, name)         static const type name;
#define AUTOTUNE__DEFINE_TABLE(type, name, ...)     static const type name = { __VA_ARGS__ };
#define AUTOTUNE__EMPTY_TABLE(type, name)
#endif
