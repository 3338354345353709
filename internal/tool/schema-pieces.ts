// Schemas that many parameters use. Each function returns a new schema, because a description belongs
// to one parameter.
import * as z from 'zod/mini'

export const filledText = () => z.string().check(z.minLength(1))
export const optionalText = () => z.optional(z.string())
export const optionalTexts = () => z.optional(z.array(z.string()))
export const optionalFlag = () => z.optional(z.boolean())
/** Returns the schema of a switch (boolean) that is off by default. */
export const switchOff = () => z._default(z.boolean(), false)
/** Returns the schema of a whole number of at least `least`. */
export const wholeNumber = (least = 1) => z.int().check(z.gte(least))
export const optionalNumber = (least = 1) => z.optional(wholeNumber(least))
