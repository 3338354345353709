// What we tell a server that we can: only what is used, and nothing that would let it change files or show
// windows.
import type { ClientCapabilities, StaticFeature } from 'vscode-languageclient'

const offered: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: {
    applyEdit: false,
    configuration: true,
    workspaceFolders: false,
    symbol: {},
    diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    // declared because it is done: a server that is told so may stop pushing
    diagnostic: { dynamicRegistration: true },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    hover: { contentFormat: ['plaintext', 'markdown'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
  },
}

/** To be registered last: it replaces what the library's own features have filled in, and keeps them idle. */
export const clientCapabilities = (isSandboxed: boolean): StaticFeature => ({
  // a server that watches its parent ends with us, also when we are killed; behind a wall it would find none
  fillInitializeParams: (params) => {
    params.processId = isSandboxed ? null : process.pid
  },
  fillClientCapabilities: (capabilities) => {
    for (const key of Object.keys(capabilities)) delete capabilities[key as keyof ClientCapabilities]
    Object.assign(capabilities, structuredClone(offered))
  },
  preInitialize: (capabilities) => {
    for (const key of Object.keys(capabilities)) delete capabilities[key as keyof typeof capabilities]
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
})
