// Parser of a patch: a unified diff, or the envelope format that begins with `*** Begin Patch`.

import type { FilePatch } from './patch.ts'
import { isEnvelope, readEnvelope } from './patch-envelope.ts'
import { readUnified } from './unified-diff.ts'

/** Returns the changes of a patch by file. Throws FailureError `bad_patch` or `unsupported_binary_patch`. */
export function readPatch(text: string): FilePatch[] {
  const inner = stripFence(text)
  return isEnvelope(inner) ? readEnvelope(inner) : readUnified(inner)
}

/**
 * Returns the text inside a Markdown code block or a here-document, in which models often send a patch.
 * Returns any other text unchanged.
 */
export function stripFence(text: string): string {
  const fenced = /^\s*(```|~~~)[\w-]*[ \t]*\r?\n([\s\S]*?\n)[ \t]*\1\s*$/.exec(text)
  const inner = fenced?.[2] ?? text
  const document = /^\s*(?:[\w./-]+[ \t]+)?<<-?[ \t]*(['"]?)(\w+)\1[ \t]*\r?\n([\s\S]*?\n)[ \t]*\2\s*$/.exec(
    inner,
  )
  return document?.[3] ?? inner
}
