// Forms that a client shows to a user, in MCP's subset of JSON Schema.

export interface FormField {
  type: 'string'
  title: string
  description?: string
  oneOf?: { const: string; title: string }[]
}

export interface ElicitationForm {
  message: string
  requestedSchema: { type: 'object'; properties: Record<string, FormField>; required: string[] }
}

/** Untrusted answer of a client; the caller has to check it. */
export interface FormReply {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

/**
 * Shows a form to the client's user; returns `cancel` if no answer comes in time or the call is cancelled.
 */
export type FormAsker = (form: ElicitationForm) => Promise<FormReply>
