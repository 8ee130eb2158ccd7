// Orrery: temporal knowledge graph completion. These headers are the library's whole promise.
#pragma once

#include "orrery/compare.h"
#include "orrery/error.h"
#include "orrery/evaluate.h"
#include "orrery/predict.h"
#include "orrery/sweep.h"
#include "orrery/train.h"
#include "orrery/version.h"
