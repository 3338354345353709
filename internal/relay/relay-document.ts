// What a relay is told of a question, as JSON: the whole text that a terminal shows, and the same as data.
import { randomBytes } from 'node:crypto'
import { createId } from '../base/ids.ts'
import type { ApprovalRequest, FilePreview, UserQuestionnaire } from '../tool/ask.ts'

/** Where the question comes from. */
export interface RelaySource {
  /** Real path. */
  workspace: string
}

interface RelayEnvelope extends RelaySource {
  version: 1
  id: string
  /** Stands in a signed answer, so that no answer fits another question. */
  nonce: string
  /** When no answer counts any more: ISO 8601. */
  expires: string
  /** All that a terminal shows, in its order; behind a bar stand the words of others. */
  text: string
}

export interface RelayedApproval
  extends RelayEnvelope,
    Pick<
      ApprovalRequest,
      'call' | 'tool' | 'origin' | 'child' | 'args' | 'cwd' | 'reasons' | 'parts' | 'always'
    > {
  kind: 'approval'
  /** What the call makes of files. */
  files?: FilePreview['files']
}

export interface RelayedQuestions extends RelayEnvelope, UserQuestionnaire {
  kind: 'questions'
}

export type RelayDocument = RelayedApproval | RelayedQuestions

export function approvalDocument(
  { call, tool, origin, child, args, cwd, reasons, parts, always }: ApprovalRequest,
  preview: FilePreview | undefined,
  text: string,
  about: { source: RelaySource; expires: number },
): RelayedApproval {
  return {
    ...envelope(about),
    kind: 'approval',
    text,
    call,
    tool,
    origin,
    child,
    args,
    cwd,
    reasons,
    parts,
    always,
    files: preview?.files,
  }
}

export function questionsDocument(
  { from, call, questions }: UserQuestionnaire,
  text: string,
  about: { source: RelaySource; expires: number },
): RelayedQuestions {
  return { ...envelope(about), kind: 'questions', text, from, questions, call }
}

function envelope({
  source,
  expires,
}: {
  source: RelaySource
  expires: number
}): Omit<RelayEnvelope, 'text'> {
  return {
    version: 1,
    id: createId('relay'),
    nonce: randomBytes(32).toString('base64url'),
    expires: new Date(expires).toISOString(),
    ...source,
  }
}
