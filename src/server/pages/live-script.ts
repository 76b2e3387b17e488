/** Browser script of the admin page: shows the event stream. Plain JavaScript, served as it stands. */
export const LIVE_SCRIPT = `
'use strict';
(function () {
  var list = document.getElementById('events');
  if (!list || !('EventSource' in window)) return;
  var source = new EventSource('/admin/events');
  function add(event) {
    var data = JSON.parse(event.data);
    var item = list.firstElementChild;
    if (event.type !== 'progress' || !item || item.className !== 'progress') {
      item = document.createElement('li');
      item.className = event.type;
      list.insertBefore(item, list.firstChild);
    }
    item.textContent = data.text;
    while (list.children.length > 50) list.removeChild(list.lastChild);
  }
  ['progress', 'finished', 'failed'].forEach(function (kind) { source.addEventListener(kind, add); });
})();
`.trim();
