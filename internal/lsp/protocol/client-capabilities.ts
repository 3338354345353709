// Capabilities that the client declares: only used ones, and none that lets a server change files
// or show windows.
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
    // declared because diagnostics are requested; the server may then stop pushing them
    diagnostic: { dynamicRegistration: true },
    definition: { linkSupport: true },
    implementation: { linkSupport: true },
    references: {},
    hover: { contentFormat: ['plaintext', 'markdown'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    callHierarchy: {},
  },
}

/**
 * Returns a feature of the client library, to be registered last. It replaces the capabilities that the
 * library's other features declare, and keeps these features inactive.
 */
export const clientCapabilities = (isSandboxed: boolean): StaticFeature => ({
  // a server that watches its parent process ends with Anode, even after a kill; in the sandbox it would
  // find no parent
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
