import type { SparseCase } from '../../learning/sparse-logistic.ts';
import type { Form } from '../../model/page.ts';
import { FORM_RULES, hasType, textInputs } from './form-rules.ts';

/** Features are hashed into 2^bits places. */
export const FORM_FEATURE_BITS = 14;

const MIN_GRAM = 3;
const MAX_GRAM = 5;
/** UTF-16 units of one text that are read. */
const MAX_TEXT = 300;

/**
 * What a form looks like to a learner (after Formasaurus): its counts and kinds of controls, and the character n-grams
 * of its texts, names and addresses. Each group has length 1, so that long texts do not drown the others.
 */
export function formFeatures(form: Form): SparseCase {
  const values = new Map<number, number>();
  const add = (names: ReadonlySet<string>, weight: number): void => {
    const value = weight / Math.sqrt(Math.max(1, names.size));
    for (const name of names) {
      const place = hash(name);
      values.set(place, (values.get(place) ?? 0) + value);
    }
  };
  for (const name of shapeOf(form)) add(new Set([name]), 1);
  for (const [group, text] of Object.entries(textsOf(form))) add(gramsOf(group, text), 2);
  return { indices: Uint32Array.from(values.keys()), values: Float32Array.from(values.values()) };
}

function shapeOf(form: Form): readonly string[] {
  const count = (type: string): number => form.controls.filter((control) => control.type === type).length;
  const visible = form.controls.filter((control) => control.type !== 'hidden').length;
  const kinds = ['textarea', 'radio', 'select', 'checkbox', 'email', 'search', 'file'].filter((type) =>
    hasType(form, type),
  );
  return [
    ...kinds.map((type) => `has ${type}`),
    ...(visible === 2 || visible === 3 ? ['two or three inputs'] : []),
    `passwords ${Math.min(2, count('password'))}`,
    `texts ${Math.min(3, textInputs(form).length)}`,
    `method ${form.methodGiven ? form.method : 'missing'}`,
    ...FORM_RULES.filter((rule) => rule.holds(form)).map((rule) => `rule ${rule.name}`),
  ];
}

function textsOf(form: Form): Readonly<Record<string, string>> {
  const of = (holds: (type: string) => boolean, text: (control: Form['controls'][number]) => string): string =>
    form.controls
      .filter((control) => holds(control.type))
      .map(text)
      .join(' ');
  const isButton = (type: string): boolean => type === 'submit' || type === 'button' || type === 'image';
  return {
    submit: of(isButton, (control) => `${control.label} ${control.value}`),
    names: of(
      (type) => type !== 'hidden' && !isButton(type),
      (control) => `${control.name} ${control.id}`,
    ),
    hidden: of(
      (type) => type === 'hidden',
      (control) => control.name,
    ),
    css: `${form.className} ${form.id} ${form.name}`,
    controls: of(
      (type) => type !== 'hidden',
      (control) => control.className,
    ),
    links: form.linkTexts.join(' '),
    labels: of(
      (type) => !isButton(type),
      (control) => control.label,
    ),
    action: form.action ?? '',
    titles: of(
      (type) => !isButton(type),
      (control) => `${control.title} ${control.placeholder}`,
    ),
    text: form.text,
  };
}

/** Distinct n-grams of 3 to 5 characters, words marked at both ends. */
function gramsOf(group: string, text: string): ReadonlySet<string> {
  const grams = new Set<string>();
  for (const word of text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)) {
    if (word === '') continue;
    const marked = `^${word}$`;
    for (let size = MIN_GRAM; size <= MAX_GRAM; size++) {
      for (let at = 0; at + size <= marked.length; at++) grams.add(`${group}:${marked.slice(at, at + size)}`);
    }
  }
  return grams;
}

/** FNV-1a over UTF-16 units, its upper bits folded in. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return ((value >>> 16) ^ value) & (2 ** FORM_FEATURE_BITS - 1);
}
