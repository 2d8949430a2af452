/** The seed of what tests draw at random, the same in every process of a run: `TEST_SEED`, 1 unless it is given. */
export const testSeed = Number(process.env.TEST_SEED ?? 1)
