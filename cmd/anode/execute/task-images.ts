// The images and documents that a user attaches to a task.
import { UserError } from '../../../internal/base/errors.ts'
import type { ContentPart } from '../../../internal/model/model.ts'
import { readDocument, readPicture } from '../../../internal/service/desktop/outside-text.ts'
import { describeDocument } from '../../../internal/service/session/mentions/document-note.ts'

const documentName = /\.(?:pdf|docx|xlsx|pptx|od[tsp]|epub)$/i

/**
 * Assumed properties of the model, which is not known yet, so that documents are read completely. The run
 * later omits attachments that its model does not support.
 */
const anyModel = { window: Number.POSITIVE_INFINITY, takesDocuments: true }

/**
 * Reads images and documents for a message. Throws UserError for a file that cannot be read or has another
 * type, for an image above 5 MiB and for a document above 32 MiB.
 */
export async function readImages(
  paths: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<ContentPart[]> {
  const parts = await Promise.all(
    paths.map(async (path) => {
      const read = documentName.test(path) ? readDocumentParts(path, cwd, signal) : readImage(path, cwd)
      return read.catch((error: unknown) => {
        if (!(error instanceof UserError)) throw error
        const hint = error.hint === undefined ? {} : { hint: error.hint }
        throw new UserError(`--image ${error.message}`, { ...hint, cause: error })
      })
    }),
  )
  return parts.flat()
}

async function readImage(path: string, cwd: string): Promise<ContentPart[]> {
  return [{ type: 'image', ...(await readPicture(cwd, path)) }]
}

async function readDocumentParts(path: string, cwd: string, signal: AbortSignal): Promise<ContentPart[]> {
  const bytes = await readDocument(cwd, path)
  const content = await describeDocument({ name: path, base64: bytes.toString('base64') }, anyModel, signal)
  const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
  // The stored thread joins all texts of a message without a separator, so each text starts on a new line.
  return parts.map((part) => (part.type === 'text' ? { ...part, text: `\n${part.text}` } : part))
}
