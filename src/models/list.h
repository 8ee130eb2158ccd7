// Every model of the library. To add one: write its header, name it here.
#pragma once

#include "models/bsca.h"
#include "models/complex.h"
#include "models/tcomplex.h"
#include "models/tntcomplex.h"

namespace orrery {

template <class... Models>
struct ModelList {};

// Of several variants of one name the first is the default.
using AllModels = ModelList<Bsca<SplitAttention, Biquaternion>, Bsca<NoAttention, Biquaternion>,
                            Bsca<RealAttention, Biquaternion>, Bsca<ProductAttention, Biquaternion>,
                            Bsca<ModulusAttention, Biquaternion>, Bsca<SplitAttention, FourComplex>,
                            Bsca<NoAttention, FourComplex>, Bsca<RealAttention, FourComplex>,
                            Bsca<ProductAttention, FourComplex>,
                            Bsca<ModulusAttention, FourComplex>, ComplEx, TComplEx, TntComplEx>;

}  // namespace orrery
