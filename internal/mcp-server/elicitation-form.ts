// Forms that a client shows to a person, in the part of JSON Schema that MCP has for them.

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

/** What comes from the client is nobody's word until it has been looked at. */
export interface FormReply {
  action: 'accept' | 'decline' | 'cancel'
  content?: Record<string, unknown>
}

/** Puts a form to the person behind the client; `cancel` when nobody answers in time. */
export type FormAsker = (form: ElicitationForm) => Promise<FormReply>
