// Types of a proposal, with which a policy (source of candidates) describes edits of files.

/**
 * One change of one file: its whole text, the replacement of `from`, which must occur exactly once,
 * or its removal.
 */
export type ProposedEdit =
  | { file: string; text: string }
  | { file: string; from: string; to: string }
  | { file: string; remove: true }

export interface ExperimentProposal {
  description: string
  edits: readonly ProposedEdit[]
  asi: Record<string, unknown>
}
