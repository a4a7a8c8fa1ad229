import type { WidgetProps } from '@rjsf/utils'

/** The id of the form as a whole. */
export const rootId = 'answer'

/** Ids that connect a control with its label, help and error. */
export const labelId = (id: string) => `${id}__title`
export const descriptionId = (id: string) => `${id}__description`
export const helpId = (id: string) => `${id}__help`
export const errorId = (id: string) => `${id}__error`

type Described = Pick<WidgetProps, 'id' | 'schema' | 'options'> & { rawErrors?: string[] | undefined }

/** For `aria-describedby`: the ids of the field's error, description and help, as far as it has them. */
export function describedBy({ id, rawErrors, schema, options }: Described): string | undefined {
  const ids = [
    rawErrors?.length && errorId(id),
    (options.description ?? schema.description) && descriptionId(id),
    options.help && helpId(id),
  ].filter((part) => typeof part === 'string')
  return ids.length > 0 ? ids.join(' ') : undefined
}

/** For controls only: a group, such as a list, can't be `aria-invalid`. */
export function ariaProps(field: Described) {
  return { 'aria-invalid': (field.rawErrors?.length ?? 0) > 0, 'aria-describedby': describedBy(field) }
}
