// The type of a set of environment variables.

/** Variables by name, as in `process.env`; undefined for one that is not set. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>
