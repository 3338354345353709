// Types for the start of a task by a worker, and for the commit of the files of a study.

export interface WorkerVersion {
  /** Version of Anode that the worker runs; undefined for workers of earlier versions. */
  version?: string
}

/** The lease and the process of the worker that has started a task. */
export type WorkerStart = {
  task: string
  epoch: number
  owner: string
  attempt: number
  pid: number
  host: string
} & WorkerVersion

/** The commit that is checked out in the repository of a study. */
export interface CorpusRevision {
  /** Full id of the commit. */
  commit: string
  /** Path of the root below the top of the repository, with a final slash; empty at the top. */
  prefix: string
  /** Number of files that differ from the commit, and the names of the first ones, sorted. */
  changed: { count: number; first: readonly string[] }
}
