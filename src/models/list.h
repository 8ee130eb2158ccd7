// Every model of the library. To add one: write its header, name it here.
#pragma once

#include "models/atise.h"
#include "models/bique.h"
#include "models/boxte.h"
#include "models/bsca.h"
#include "models/chronor.h"
#include "models/complex.h"
#include "models/de_simple.h"
#include "models/hge.h"
#include "models/hyte.h"
#include "models/lcge.h"
#include "models/rotateqvs.h"
#include "models/tbicomr.h"
#include "models/tcomplex.h"
#include "models/tcompounde.h"
#include "models/teast.h"
#include "models/telm.h"
#include "models/tero.h"
#include "models/tlt_kge.h"
#include "models/tntcomplex.h"
#include "models/tpcomplex.h"
#include "models/ttranse.h"
#include "models/tuckertnt.h"

namespace orrery {

template <class... Models>
struct ModelList {};

// Of several variants of one name the first is the default.
using AllModels =
    ModelList<Bsca<SplitAttention, Biquaternion>, Bsca<NoAttention, Biquaternion>,
              Bsca<RealAttention, Biquaternion>, Bsca<ProductAttention, Biquaternion>,
              Bsca<ModulusAttention, Biquaternion>, Bsca<SplitAttention, FourComplex>,
              Bsca<NoAttention, FourComplex>, Bsca<RealAttention, FourComplex>,
              Bsca<ProductAttention, FourComplex>, Bsca<ModulusAttention, FourComplex>, ComplEx,
              BiQUE, TComplEx, TPComplEx, TBicomR, TntComplEx, LCGE, HGE, TeLM, TeAst, TltKge<Real>,
              TltKge<Complex>, TCompoundE, ChronoR2, ChronoR3, DeSimplE,
              TTransE<ByAbsoluteDistance>, TTransE<ByEuclideanDistance>, HyTE, TeRo, RotateQVS,
              BoxTE, ATiSE, TuckErTnt>;

}  // namespace orrery
