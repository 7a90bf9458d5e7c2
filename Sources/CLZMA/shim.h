#pragma once

#include <lzma.h>

// Swift does not import macros with casts.
static const uint32_t ferry_lzma_default_preset = LZMA_PRESET_DEFAULT;
static const uint32_t ferry_lzma_tell_unsupported_check = LZMA_TELL_UNSUPPORTED_CHECK;
