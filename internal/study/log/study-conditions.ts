// Conditions of a study that its first entry states: the files that it can read, and its limits.
import type { CorpusRevision } from './worker-start.ts'

/** The files of a study as they were found before it began. */
export interface StudyCorpus {
  /** Real path of the sources on the machine that started the study. */
  root: string
  /** Digest of the files below `root`, or of a local table's documents. Other machines need equal files. */
  corpus: string
  /**
   * Commit of the files, for a study on a server; undefined if git is missing or they are not in a git
   * repository with a commit.
   */
  revision?: CorpusRevision
  /** Number and bytes of the files that the study can read, documents such as PDFs included. */
  read?: { files: number; bytes: number }
  /** When reading of the files began, in milliseconds since 1970, and a digest of their names. */
  surveyed?: { at: number; names: string }
  /** The first 1,000 files of the corpus, sorted by path, that no tool of a study reads. */
  skipped?: readonly SkippedSource[]
  /** Number of skipped files that are not listed in `skipped`. */
  skippedMore?: number
  /** The first 20 files with a notice, for example that their encoding is a guess; undefined without any. */
  noted?: readonly SkippedSource[]
}

/** A skipped file or directory below the root, and a short reason: `binary`, `over 2 MiB`. */
export interface SkippedSource {
  path: string
  why: string
}

/** Limits of time and spending. A resumed study gets new ones. */
export interface StudyLimits {
  /** Time at which the study has to end, in milliseconds since 1970. */
  deadline: number
  /** Milliseconds allowed since the study was last resumed. Default: from its creation to the deadline. */
  allowedMs?: number
  budget: { tokens?: number; usd?: number; perWorkerTokens?: number }
}
