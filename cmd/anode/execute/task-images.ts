// Pictures that go with a task.
import { UserError } from '../../../internal/base/errors.ts'
import { readPicture } from '../../../internal/service/desktop/outside-text.ts'

/** Throws UserError for what is no picture or larger than 5 MiB. */
export async function readImages(paths: readonly string[], cwd: string) {
  return Promise.all(
    paths.map(async (path) => {
      const read = readPicture(cwd, path).catch((error: unknown) => {
        if (!(error instanceof UserError)) throw error
        const hint = error.hint === undefined ? {} : { hint: error.hint }
        throw new UserError(`--image ${error.message}`, { ...hint, cause: error })
      })
      return { type: 'image' as const, ...(await read) }
    }),
  )
}
