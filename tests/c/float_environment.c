/* The host's floating-point environment changes no bit of any answer, and is left as it was found. */
#include "check.h"

#include <fenv.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

/* All that is computed, in one comparable block. */
typedef struct outcome {
    answers near_answers, far_answers, tiny_answers;
    hand_answers hand;
    feeler_model_info info;
    feeler_transform from_f64, from_f32, from_quaternion;
} outcome;

static grid g;

static void compute(outcome *o) {
    /* Denormal coordinates in f32 and f64, poses without round numbers. */
    static const double tiny[18] = {1e-310, 2e-310, 5e-324, 3e-310, 1e-310, 0, 1e-310, 4e-310, 7e-311,
                                    2e-310, 9e-310, 1e-311, 5e-310, 7e-310, 0, 6e-310, 8e-310, 7e-311};
    static const float tiny_f32[9] = {1e-40f, 2e-40f, 0.0f, 3e-40f, 1e-41f, 0.0f, 1e-42f, 4e-40f, 1e-45f};
    const double quaternion[4] = {0.1, 0.2, 0.3, 0.9}, translation[3] = {0.1, 0.7, 1.3};
    double m[16];
    static const float f[16] = {0.6f, 0.8f, 0, 0, -0.8f, 0.6f, 0, 0, 0, 0, 1, 0, 0.1f, 0.2f, 0.3f, 1};
    feeler_mesh small = feeler_mesh_default(), small_f32 = feeler_mesh_default();
    feeler_model *model, *tiny_model, *tiny_f32_model;
    feeler_pair *pair, *tiny_pair;
    feeler_transform pose, identity = feeler_transform_identity();
    int row, column;
    memset(o, 0, sizeof *o);
    model = model_of(&g.mesh);
    pair = pair_of(model, model);
    CHECK_OK(feeler_transform_from_quaternion(quaternion, translation, &o->from_quaternion));
    memset(m, 0, sizeof m);
    for (row = 0; row < 3; ++row) {
        for (column = 0; column < 3; ++column) {
            m[4 * column + row] = o->from_quaternion.rotation[3 * row + column];
        }
        m[12 + row] = translation[row];
    }
    m[15] = 1.0;
    CHECK_OK(feeler_transform_from_matrix4_f64(m, &o->from_f64));
    CHECK_OK(feeler_transform_from_matrix4_f32(f, &o->from_f32));
    CHECK_OK(ask_everything(pair, &o->from_quaternion, 0.3, &o->near_answers));
    CHECK_OK(ask_hand(model, pair, &o->from_quaternion, 0.3, &o->hand));
    pose = o->from_quaternion;
    pose.translation[2] = 17.3;
    pose.scale[0] = pose.scale[1] = pose.scale[2] = 1.7;
    CHECK_OK(ask_everything(pair, &pose, 13.0, &o->far_answers));
    o->info = feeler_model_info_default();
    CHECK_OK(feeler_model_get_info(model, &o->info));
    o->info.build_seconds = 0.0;
    small.scalar = FEELER_SCALAR_F64;
    small.vertices = tiny;
    small.vertex_count = 6;
    small_f32.vertices = tiny_f32;
    small_f32.vertex_count = 3;
    tiny_model = model_of(&small);
    tiny_f32_model = model_of(&small_f32);
    tiny_pair = pair_of(tiny_model, tiny_f32_model);
    CHECK_OK(ask_everything(tiny_pair, &identity, 4.9e-324, &o->tiny_answers));
    feeler_pair_destroy(tiny_pair);
    feeler_model_destroy(tiny_model);
    feeler_model_destroy(tiny_f32_model);
    feeler_pair_destroy(pair);
    feeler_model_destroy(model);
}

static outcome normal, strange;

static void compare(const char *what) {
    if (!CHECK(memcmp(&normal, &strange, sizeof normal) == 0)) {
        printf("  differs with %s\n", what);
    }
}

int main(void) {
    static const struct {
        int mode;
        const char *name;
    } modes[] = {{FE_TONEAREST, "to nearest"}, {FE_UPWARD, "upward"}, {FE_DOWNWARD, "downward"}, {FE_TOWARDZERO, "to zero"}};
    size_t i;
    g = grid_make(4);
    compute(&normal);
    CHECK(normal.near_answers.distance.complete == 1 && normal.tiny_answers.distance.complete == 1);
    for (i = 0; i < 4; ++i) {
        CHECK(fesetround(modes[i].mode) == 0);
        compute(&strange);
        CHECK(fegetround() == modes[i].mode);
        CHECK(fesetround(FE_TONEAREST) == 0);
        compare(modes[i].name);
    }
    /* Flags: what was raised stays raised, what was not stays down. */
    feclearexcept(FE_ALL_EXCEPT);
    {
        answers a;
        feeler_model *model = model_of(&g.mesh);
        feeler_pair *pair = pair_of(model, model);
        feclearexcept(FE_ALL_EXCEPT);
        CHECK_OK(ask_everything(pair, &normal.from_quaternion, 0.3, &a));
        CHECK(fetestexcept(FE_ALL_EXCEPT) == 0);
        feraiseexcept(FE_DIVBYZERO);
        CHECK_OK(ask_everything(pair, &normal.from_quaternion, 0.3, &a));
        CHECK(fetestexcept(FE_ALL_EXCEPT) == FE_DIVBYZERO);
        feclearexcept(FE_ALL_EXCEPT);
        feeler_pair_destroy(pair);
        feeler_model_destroy(model);
    }
#if defined(__x86_64__)
    {
        /* Flush to zero, denormals are zero, both, both with each rounding; then exceptions unmasked. */
        static const unsigned settings[] = {0x8000, 0x0040, 0x8040, 0xa040, 0xc040, 0xe040};
        unsigned found;
        for (i = 0; i < sizeof settings / sizeof *settings; ++i) {
            char name[32];
            snprintf(name, sizeof name, "MXCSR bits %x", settings[i]);
            _mm_setcsr(0x1f80 | settings[i]);
            compute(&strange);
            found = _mm_getcsr();
            _mm_setcsr(0x1f80);
            CHECK((found & ~0x3fu) == (0x1f80 | settings[i]));
            compare(name);
        }
        _mm_setcsr(0x0000); /* every exception would raise a signal */
        {
            feeler_transform t;
            const double quaternion[4] = {0.1, 0.2, 0.3, 0.9}, translation[3] = {1.0 / 3.0, 0.7, 1.3};
            uint32_t status = feeler_transform_from_quaternion(quaternion, translation, &t);
            found = _mm_getcsr();
            _mm_setcsr(0x1f80);
            CHECK(status == FEELER_STATUS_OK && found == 0);
        }
        {
            answers *a = calloc(1, sizeof *a);
            feeler_model *model = model_of(&g.mesh);
            feeler_pair *pair = pair_of(model, model);
            feeler_model *traps = NULL;
            uint32_t status;
            _mm_setcsr(0x0000);
            status = ask_everything(pair, &normal.from_quaternion, 0.3, a);
            if (status == 0) {
                status = feeler_model_create(&g.mesh, &traps);
            }
            found = _mm_getcsr();
            _mm_setcsr(0x1f80);
            CHECK(status == FEELER_STATUS_OK && found == 0);
            CHECK(memcmp(a, &normal.near_answers, sizeof *a) == 0);
            feeler_model_destroy(traps);
            feeler_pair_destroy(pair);
            feeler_model_destroy(model);
            free(a);
        }
    }
#elif defined(__aarch64__)
    {
        /* Flush to zero (bit 24), default NaN (25), both, both with each rounding (22 and 23). */
        static const uint64_t settings[] = {1u << 24, 2u << 24, 3u << 24, 13u << 22, 14u << 22, 15u << 22};
        uint64_t found;
        for (i = 0; i < sizeof settings / sizeof *settings; ++i) {
            char name[32];
            snprintf(name, sizeof name, "FPCR bits %x", (unsigned)settings[i]);
            __asm__ volatile("msr fpcr, %0" : : "r"(settings[i]) : "memory");
            compute(&strange);
            __asm__ volatile("mrs %0, fpcr" : "=r"(found) : : "memory");
            __asm__ volatile("msr fpcr, %0" : : "r"((uint64_t)0) : "memory");
            CHECK(found == settings[i]);
            compare(name);
        }
    }
#endif
    grid_free(&g);
    return finish("float_environment");
}
