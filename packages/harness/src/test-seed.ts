/** The seed of random values in tests, the same in every process of a run: `TEST_SEED`, 1 by default. */
export const testSeed = Number(process.env.TEST_SEED ?? 1)
