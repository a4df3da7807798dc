// The compile-time choices of PQP's interface. They are constants here: feeler computes in double, for every volume.
#ifndef FEELER_LEGACY_PQP_COMPILE_H
#define FEELER_LEGACY_PQP_COMPILE_H

/// The floating-point type of every coordinate.
typedef double PQP_REAL;

#define RSS_TYPE 1
#define OBB_TYPE 2
/// Programs ask `PQP_BV_TYPE & RSS_TYPE` to know whether there are distance and tolerance queries. There are.
#define PQP_BV_TYPE (RSS_TYPE | OBB_TYPE)

#endif
