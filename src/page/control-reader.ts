import type { Attributes } from './attributes.ts';
import { FormCollector, type FormLimits } from './form-collector.ts';
import * as S from './states.ts';
import { tagNumber } from './tags.ts';

const BUTTON = tagNumber('button');
const FORM = tagNumber('form');
const INPUT = tagNumber('input');
const LABEL = tagNumber('label');
const OPTGROUP = tagNumber('optgroup');
const OPTION = tagNumber('option');
const SELECT = tagNumber('select');
const TEXTAREA = tagNumber('textarea');

const INPUT_TYPES: ReadonlySet<string> = new Set(
  (
    'text search email url tel password number hidden checkbox radio submit image button reset file date month week time ' +
    'datetime-local range color'
  ).split(' '),
);

/** Start and end tags of forms and controls → the form collector. */
export class ControlReader {
  readonly collector: FormCollector;
  private readonly attributes: Attributes;
  private textareaOpen: { value: string } | undefined;
  private groupDisabled = false;

  constructor(attributes: Attributes, limits: FormLimits) {
    this.attributes = attributes;
    this.collector = new FormCollector(limits);
  }

  opened(tag: number, element: number, state: number): void {
    if (tag === INPUT) this.addInput(state);
    else if (tag === FORM) this.openForm(element);
    else if (tag === BUTTON) this.openButton(state);
    else if (tag === SELECT) this.openSelect(state);
    else if (tag === OPTION) this.openOption();
    else if (tag === OPTGROUP) this.groupDisabled = this.attributes.has('disabled');
    else if (tag === TEXTAREA) this.textareaOpen = this.add('textarea', '', state);
    else if (tag === LABEL) this.collector.startLabel(this.attributes.text('for'));
  }

  closed(tag: number): void {
    if (tag === BUTTON) this.collector.endButton();
    else if (tag === SELECT) this.collector.endSelect();
    else if (tag === OPTION) this.collector.endOption();
    else if (tag === OPTGROUP) this.groupDisabled = false;
    else if (tag === LABEL) this.collector.endLabel();
  }

  rawText(tag: number, text: string): void {
    if (tag !== TEXTAREA || this.textareaOpen === undefined) return;
    this.textareaOpen.value = text.replace(/^\r?\n/, '');
    this.textareaOpen = undefined;
  }

  private openForm(element: number): void {
    const { attributes } = this;
    const method = attributes.text('method').trim().toLowerCase();
    this.collector.openForm({
      element,
      action: attributes.get('action'),
      method: method === 'post' || method === 'dialog' ? method : 'get',
      methodGiven: attributes.has('method'),
      enctype: attributes.text('enctype'),
      acceptCharset: attributes.text('accept-charset'),
      target: attributes.text('target'),
      id: attributes.text('id'),
      name: attributes.text('name'),
      className: attributes.text('class'),
      role: attributes.text('role').trim().toLowerCase(),
    });
  }

  private addInput(state: number): void {
    const given = this.attributes.text('type').trim().toLowerCase();
    const type = INPUT_TYPES.has(given) ? given : 'text';
    const value = this.attributes.get('value') ?? (type === 'checkbox' || type === 'radio' ? 'on' : '');
    const control = this.add(type, value, state);
    if (control.label === '' && (type === 'submit' || type === 'button' || type === 'reset')) control.label = value;
    if (control.label === '' && type === 'image') control.label = this.attributes.text('alt');
  }

  private openButton(state: number): void {
    const given = this.attributes.text('type').trim().toLowerCase();
    const type = given === 'button' || given === 'reset' ? given : 'submit';
    this.collector.startButton(this.add(type, this.attributes.text('value'), state));
  }

  private openSelect(state: number): void {
    this.groupDisabled = false;
    this.collector.startSelect(this.add('select', '', state));
  }

  private openOption(): void {
    const { attributes } = this;
    this.collector.startOption(attributes.get('value'), {
      selected: attributes.has('selected'),
      disabled: attributes.has('disabled') || this.groupDisabled,
      label: attributes.text('label'),
    });
  }

  private add(type: string, value: string, state: number): ReturnType<FormCollector['addControl']> {
    const { attributes } = this;
    return this.collector.addControl({
      type,
      name: attributes.text('name'),
      id: attributes.text('id'),
      value,
      checked: attributes.has('checked'),
      disabled: attributes.has('disabled') || (state & S.IN_DISABLED) !== 0,
      required: attributes.has('required'),
      multiple: attributes.has('multiple'),
      placeholder: attributes.text('placeholder'),
      title: attributes.text('title'),
      className: attributes.text('class'),
      label: attributes.text('aria-label'),
      ownerId: attributes.get('form'),
    });
  }
}
