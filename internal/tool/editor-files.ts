// Files as an editor has them open, saved or not: the part of a session that an editor may offer.

export interface EditorFiles {
  /** The text that the editor has of this real path; undefined where it has none to give. Never rejects. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>
  /** Absent: the editor only reads. Rejects with FailureError `io`. */
  write?(path: string, text: string, signal: AbortSignal): Promise<void>
}
