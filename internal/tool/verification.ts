// The verification capability: proofs, comparisons and studies for tools that check claims.
import type { Policy } from '../policy/policy.ts'

/** The output and exit of one run of a command. */
interface CheckRun {
  exit: number | null
  ms: number
  output: string
  ended: 'timeout' | 'cancelled' | undefined
  refused: readonly string[] | undefined
}

/** Runs a command in a directory. `linked` are further directories that it may use. */
export type CheckRunner = (
  command: string,
  dir: string,
  linked: readonly string[],
) => Promise<CheckRun & { isSandboxed: boolean }>

export interface ProofOrder {
  commands: readonly string[]
  /** Git revision from which the original tests are taken. */
  base: string
  allow: readonly string[]
}

/** The recorded result of commands that check a change. The resource `anode://proofs/ID` returns it. */
export interface StoredProof {
  id: string
  timestamp: string
  state: 'proven' | 'unproven'
  reason: string | undefined
  tree: string
  checks: readonly (CheckRun & { command: string; originals: 'kept' | 'restored' })[]
  sealed: readonly string[]
  changed: readonly string[]
  allowed: readonly string[]
  /** Sandbox of the checks. `none`: a check ran with the rights of the user. */
  sandbox: 'bubblewrap' | 'seatbelt' | 'none'
}

interface ComparisonRequest {
  base?: string
  head?: string
  command: string
  build?: string
  metrics: readonly string[]
  budgetMs: number
}

interface ComparisonAnswer {
  id: string
  verdict: string
  lines: readonly string[]
  record: object
}

/** One quote of a text, compared with the files of the workspace. */
export interface QuoteVerdict {
  quote: string
  /**
   * `elsewhere`: the file contains the quote, but not at the named line. `no_file`: no readable
   * file is named.
   */
  state: 'found' | 'elsewhere' | 'missing' | 'no_file'
  file?: string
  lines?: string
  /** Hash of the bytes of the quoted file. */
  sha256?: string
}

/** The quotes of a text, and how many of its quotes were not compared. */
export interface QuoteCheck {
  quotes: QuoteVerdict[]
  /**
   * Number of quotes that were not compared, because they have too few letters and digits to
   * identify a passage.
   */
  short: number
  /** Number of quotes that were not compared, because one call compares only a limited number. */
  beyond: number
}

/** A study as it is now. */
interface StudyProgress {
  id: string
  status: string
  isOver: boolean
  question: string
  /** The report of the study as Markdown, as far as it is complete. */
  report: string
}

interface ClaimsAnswer {
  id: string
  /** Share of the study's claims whose quotes were found; null without claims. */
  accuracy: number | null
  support: number | null
  claims: readonly { id: string; text: string; state: string; reason?: string; source_changed: boolean }[]
}

/**
 * Requests of tools for proofs, quotes and studies. Each rejects with FailureError or UserError if it
 * cannot be answered.
 */
export interface VerificationCapability {
  /**
   * Runs the commands of a proof on the present files, and with the original tests. `begun` gets the proof's
   * id at once.
   */
  prove(order: ProofOrder, run: CheckRunner, begun: (id: string) => void): Promise<StoredProof>
  /**
   * Compares two versions of the workspace: `base` (default: the commit at which the branch began) and `head`
   * (default: the present files). `begun` gets the id of the comparison at once.
   */
  compare(
    request: ComparisonRequest,
    policy: Policy,
    signal: AbortSignal,
    tell: (message: string) => void,
    begun: (id: string) => void,
  ): Promise<ComparisonAnswer>
  /** Compares the quotes of a text with files of the workspace that `isOpen` allows to read. */
  verifyText(text: string, isOpen: (path: string) => boolean): Promise<QuoteCheck>
  verifyStudy(id: string): Promise<ClaimsAnswer>
  /** Starts a study in a separate process. Resolves with its id as soon as it is stored. */
  startStudy(question: string, signal: AbortSignal): Promise<string>
  /** Returns the study when it has ended or `waitMs` have passed. */
  awaitStudy(id: string, waitMs: number, signal: AbortSignal): Promise<StudyProgress>
}
