// Access to the texts of files that are open in an editor, saved or not. A connected editor may offer it
// to a session.

export interface EditorFiles {
  /**
   * Returns the editor's text of the file at this real path; undefined if the editor has none. Never rejects.
   */
  read(path: string, signal: AbortSignal): Promise<string | undefined>
  /**
   * Writes a file through the editor. The function is missing if the editor only lets Anode read. Rejects
   * with FailureError `io`.
   */
  write?(path: string, text: string, signal: AbortSignal): Promise<void>
}
