type Json = Record<string, unknown>

/**
 * What is wrong with blocks by Slack's documented limits. Only the blocks and elements that
 * Handrail uses are known.
 */
export function blockKitProblems(blocks: Json[], maxBlocks: number): string[] {
  const problems: string[] = []
  const actionIds: string[] = []
  const blockIds: string[] = []
  const check = (isRight: boolean, what: string) => isRight || problems.push(what)
  const checkText = (value: unknown, max: number, what: string, types = ['plain_text']) => {
    const { type, text } = (value ?? {}) as { type?: string; text?: string }
    check(types.includes(type ?? ''), `${what} has the type ${type}`)
    check(
      typeof text === 'string' && text.length >= 1 && text.length <= max,
      `${what} has ${text?.length} characters`,
    )
  }
  check(blocks.length >= 1 && blocks.length <= maxBlocks, `${blocks.length} blocks`)
  for (const block of blocks) {
    if (block.block_id !== undefined) blockIds.push(String(block.block_id))
    checkBlock(block)
  }
  check(new Set(actionIds).size === actionIds.length, 'an action_id is repeated')
  check(new Set(blockIds).size === blockIds.length, 'a block_id is repeated')
  return problems

  function checkBlock(block: Json): void {
    switch (block.type) {
      case 'header':
        checkText(block.text, 150, 'header')
        return
      case 'section':
        checkText(block.text, 3_000, 'section')
        if (block.accessory) checkButton(block.accessory as Json)
        return
      case 'context': {
        const elements = block.elements as Json[]
        check(elements.length >= 1 && elements.length <= 10, `${elements.length} context elements`)
        for (const element of elements) checkText(element, 3_000, 'context')
        return
      }
      case 'actions': {
        const elements = block.elements as Json[]
        check(elements.length >= 1 && elements.length <= 25, `${elements.length} elements`)
        for (const element of elements) checkButton(element)
        return
      }
      case 'input':
        checkInput(block)
        return
      default:
        problems.push(`unknown block ${block.type}`)
    }
  }

  function checkButton(button: Json): void {
    check(button.type === 'button', `unknown element ${button.type}`)
    checkText(button.text, 75, 'button')
    check(String(button.action_id).length <= 255, 'action_id')
    actionIds.push(String(button.action_id))
    if (button.value !== undefined) check(String(button.value).length <= 2_000, 'value')
    if (button.url !== undefined)
      check(String(button.url).length <= 3_000 && URL.canParse(String(button.url)), 'url')
    if (!button.confirm) return
    const confirm = button.confirm as Json
    checkText(confirm.title, 100, 'confirm title')
    checkText(confirm.text, 300, 'confirm text')
    checkText(confirm.confirm, 30, 'confirm button')
    checkText(confirm.deny, 30, 'deny button')
  }

  function checkInput(block: Json): void {
    const element = block.element as Json
    checkText(block.label, 2_000, 'label')
    if (block.hint) checkText(block.hint, 2_000, 'hint')
    if (element.placeholder) checkText(element.placeholder, 150, 'placeholder')
    const maxOptions: Record<string, number> = {
      radio_buttons: 10,
      checkboxes: 10,
      static_select: 100,
      multi_static_select: 100,
    }
    const known = ['plain_text_input', 'number_input', 'datepicker', ...Object.keys(maxOptions)]
    check(known.includes(String(element.type)), `unknown input ${element.type}`)
    if (element.type === 'plain_text_input')
      check(String(element.initial_value ?? '').length <= 3_000, 'initial value')
    if (element.type === 'number_input')
      check(typeof element.is_decimal_allowed === 'boolean', 'is_decimal_allowed')
    if (maxOptions[String(element.type)] === undefined) return
    const options = element.options as Json[]
    check(
      options.length >= 1 && options.length <= maxOptions[String(element.type)]!,
      `${options.length} options`,
    )
    for (const option of options) {
      checkText(option.text, 75, 'option')
      check(String(option.value).length <= 150, 'option value')
    }
    const initial = [element.initial_option ?? [], element.initial_options ?? []].flat()
    const texts = options.map((option) => JSON.stringify(option))
    check(
      initial.every((option) => texts.includes(JSON.stringify(option))),
      'an initial option is not offered',
    )
  }
}

export function viewProblems(view: Json): string[] {
  const title = (view.title as { text: string } | undefined)?.text ?? ''
  const isShort = (part: unknown) => part === undefined || (part as { text: string }).text.length <= 24
  return [
    ...(title.length >= 1 && title.length <= 24 ? [] : [`the title has ${title.length} characters`]),
    ...(isShort(view.submit) && isShort(view.close) ? [] : ['submit or close is too long']),
    ...(String(view.private_metadata ?? '').length <= 3_000 ? [] : ['private_metadata']),
    ...blockKitProblems(view.blocks as Json[], 100),
  ]
}
