// Commands for a release of the package: node cmd/release/main.mjs COMMAND
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

const commands = {
  /** check [TAG]: exits with 1 if something stops a release. */
  async check(tag) {
    const { releaseProblems } = await import('./check.mjs')
    const problems = releaseProblems(root, tag)
    for (const problem of problems) console.error(problem)
    process.exitCode = problems.length > 0 ? 1 : 0
  },
  /** address OWNER/NAME: replaces the address of the repository in all files. */
  async address(next = '') {
    const { setAddress } = await import('./address.mjs')
    for (const file of setAddress(root, next)) console.log(file)
  },
  /** registries TARBALL DIR: writes agent.json, server.json, anode.rb and default.nix into DIR. */
  async registries(tarball = '', out = '') {
    const { writeRegistryFiles } = await import('./registries.mjs')
    for (const name of writeRegistryFiles(root, tarball, out)) console.log(name)
  },
  /** sbom: prints the list of all software in the package as CycloneDX. */
  async sbom() {
    const { makeSbom } = await import('./sbom.mjs')
    process.stdout.write(`${JSON.stringify(makeSbom(root), null, 2)}\n`)
  },
}

const [name = '', ...words] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (command) await command(...words)
else {
  console.error(`unknown command "${name}"; commands: ${Object.keys(commands).join(', ')}`)
  process.exitCode = 2
}
