/**
 * The type of the data that a literal JSON Schema describes, for the keywords that forms use most.
 * Other keywords are ignored, so the type may be wider than the schema, never narrower.
 */
export type FromJsonSchema<Schema> = Schema extends { const: infer Value }
  ? Value
  : Schema extends { enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { type: 'object' }
      ? ObjectFrom<Schema>
      : Schema extends { type: 'array' }
        ? ListItem<Schema>[]
        : Schema extends { type: keyof Primitives }
          ? Primitives[Schema['type']]
          : unknown

type Primitives = { string: string; number: number; integer: number; boolean: boolean; null: null }

/** `items` describes only what follows `prefixItems`. */
type ListItem<Schema> = Schema extends { prefixItems: readonly (infer First)[] }
  ? FromJsonSchema<First> | FurtherItem<Schema>
  : FurtherItem<Schema>

type FurtherItem<Schema> = Schema extends { items: infer Items }
  ? Items extends false
    ? never
    : FromJsonSchema<Items>
  : unknown

type ObjectFrom<Schema> = Schema extends { properties: infer Properties }
  ? Flat<
      {
        -readonly [Name in keyof Properties as Name extends RequiredOf<Schema>
          ? Name
          : never]: FromJsonSchema<Properties[Name]>
      } & {
        -readonly [Name in keyof Properties as Name extends RequiredOf<Schema>
          ? never
          : Name]?: FromJsonSchema<Properties[Name]>
      }
    >
  : Record<string, unknown>

type RequiredOf<Schema> = Schema extends { required: readonly (infer Names)[] } ? Names : never

type Flat<T> = { [Name in keyof T]: T[Name] }
