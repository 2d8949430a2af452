/** The database cannot be brought to this version of the program; the message says why in one sentence. */
export class MigrationError extends Error {}
