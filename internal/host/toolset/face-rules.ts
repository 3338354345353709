// Rules that name a tool as another program does: they would never match, so they are errors.
import { UserError } from '../../base/errors.ts'
import { neededTools } from '../../toolset/face-entries.ts'
import { loadToolset, toolsetNames } from '../../toolset/index.ts'
import { facesOf } from '../../toolset/resolve-face.ts'

/** `names` are no native tools. Throws UserError for the first that is a face, with its native tools. */
export async function refuseFaceNames(names: readonly string[]): Promise<void> {
  const all = (await Promise.all(toolsetNames.map(loadToolset))).flatMap(facesOf)
  for (const name of names) {
    const found = all.find(({ toolset, face }) => [face.name, `${toolset}/${face.name}`].includes(name))
    if (!found) continue
    const natives = neededTools(found.face)
    throw new UserError(`permissions: ${name} is a face of ${found.toolset}, and rules name native tools`, {
      hint: `name ${natives.join(' or ')}`,
    })
  }
}
