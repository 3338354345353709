// The tools that ask a language server. They share nearly all of their code, so they load together.
import { getDiagnostics } from './get_diagnostics.ts'
import { lsp } from './lsp.ts'

export const codeTools = { lsp, getDiagnostics }
