// The board as it is now, from /api/status, and live from /api/events (docs/page.md).
'use strict';
const $ = id => document.getElementById(id);
const make = (tag, text, name) => {
  const node = document.createElement(tag);
  if (text != null) node.textContent = text;
  if (name) node.className = name;
  return node;
};
const rough = s => s < 1 ? 'just now' : s < 100 ? `${Math.round(s)} s ago` : s < 6000 ? `${Math.round(s / 60)} min ago`
  : s < 172800 ? `${Math.round(s / 3600)} h ago` : `${Math.round(s / 86400)} d ago`;

// ---- Drawings: functions of what is known of a part, which return SVG
const escape = text => String(text).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
const svg = (w, h, body, label) => `<svg viewBox="0 0 ${w} ${h}" role="img" aria-label="${escape(label)}">${body}</svg>`;
const has = (part, state) => part.states.includes(state);
const number = (part, name) => typeof part.values[name] === 'number' ? part.values[name] : undefined;
const circle = (x, y, r, name) => `<circle cx="${x}" cy="${y}" r="${r}" class="${name}"/>`;
const drawings = {
  button(part) {
    const on = has(part, 'pressed');
    return svg(200, 112, `<rect x="52" y="8" width="96" height="96" rx="14" class="body"/>`
      + [[64, 20], [136, 20], [64, 92], [136, 92]].map(p => circle(p[0], p[1], 3, 'screw')).join('')
      + circle(100, 56, 35, 'well') + circle(100, 56, on ? 26 : 30, on ? 'cap on' : 'cap'), on ? 'pressed' : 'released');
  },
  chord(part) {
    const on = has(part, 'pressed');
    return svg(200, 84, [52, 100, 148].map(x => circle(x, 42, 22, 'well') + circle(x, 42, on ? 15 : 18, on ? 'cap on' : 'cap')).join(''),
      on ? 'pressed together' : 'released');
  },
  'motion-sensor'(part) {
    const on = has(part, 'motion'), warm = has(part, 'warming-up');
    const waves = on ? [50, 60, 70].map(r => `<path d="M${100 - r} 74a${r} ${r} 0 0 1 ${2 * r} 0" class="wave"/>`).join('') : '';
    let facets = [14, 28].map(r => circle(100, 54, r, 'facet')).join('');
    for (let a = 0; a < 180; a += 30) facets += `<path d="M58 54h84" class="facet" transform="rotate(${a} 100 54)"/>`;
    return svg(200, 112, `${waves}<rect x="44" y="88" width="112" height="16" rx="3" class="pcb"/>`
      + circle(100, 54, 44, on ? 'dome on' : warm ? 'dome warm' : 'dome') + facets,
      on ? 'motion' : warm ? 'warming up' : has(part, 'occupied') ? 'occupied' : 'no motion');
  },
  servo(part) {
    const at = number(part, 'angle') ?? number(part, 'degrees');
    return svg(200, 132, `<rect x="62" y="70" width="76" height="56" rx="6" class="body"/><path d="M22 92A78 78 0 0 1 178 92" class="scale"/>`
      + `<g class="horn${has(part, 'holding') ? ' held' : ''}${at === undefined ? ' unknown' : ''}" transform="rotate(${(at ?? 90) - 90} 100 92)"><path d="M94 92L97 26Q100 20 103 26L106 92z"/></g>`
      + circle(100, 92, 12, 'hub') + `<text x="100" y="122">${has(part, 'moving') ? 'moving' : at === undefined ? 'not moved yet' : Math.round(at) + '°'}</text>`,
      has(part, 'moving') ? 'moving' : at === undefined ? 'not moved yet' : `the horn stands at ${Math.round(at)} degrees`);
  },
  'continuous-servo'(part) {
    const on = has(part, 'turning');
    return svg(200, 120, circle(100, 56, 46, 'body') + `<g class="horn${on ? ' held' : ''}"><path d="M94 56L97 16Q100 12 103 16L106 56z"/><path d="M94 56L97 96Q100 100 103 96L106 56z"/></g>`
      + circle(100, 56, 11, 'hub'), on ? 'turning' : 'stands still');
  },
  'rotary-encoder'(part) {
    const at = number(part, 'position') ?? 0;
    return svg(200, 128, circle(100, 54, 42, 'body') + `<g class="knob" transform="rotate(${at % 20 * 18} 100 54)">${circle(100, 54, 34, 'hub')}<path d="M100 24v14" class="mark-line"/></g><text x="100" y="120">${at}</text>`, `position ${at}`);
  },
  led(part) {
    const on = has(part, 'lit');
    return svg(200, 112, (on ? circle(100, 46, 44, 'halo') : '') + `<path d="M91 84v26M109 84v26" class="leg"/><path d="M78 78V44a22 22 0 0 1 44 0v34z" class="bulb${on ? ' on' : ''}"/><rect x="73" y="76" width="54" height="9" rx="2" class="bulb${on ? ' on' : ''}"/>`,
      has(part, 'blinking') ? 'blinks' : on ? 'lit' : 'dark');
  },
  relay(part) {
    const on = has(part, 'on');
    return svg(200, 112, `<rect x="30" y="10" width="140" height="92" rx="8" class="body"/><path d="M46 72h34M120 72h34" class="wire"/><path d="M80 72L${on ? '120 72' : '116 48'}" class="arm${on ? ' on' : ''}"/>`
      + circle(80, 72, 5, 'contact') + circle(120, 72, 5, 'contact') + `<text x="100" y="32">${on ? 'on' : 'off'}</text>`, on ? 'on' : 'off');
  },
  speaker(part) {
    const on = has(part, 'sounding');
    return svg(200, 112, circle(84, 56, 44, 'body') + circle(84, 56, 32, 'well') + circle(84, 56, on ? 14 : 11, 'hub')
      + (on ? [0, 1, 2].map(i => `<path d="M${134 + 12 * i} ${40 - 6 * i}q${10 + 3 * i} ${16 + 6 * i} 0 ${32 + 12 * i}" class="wave"/>`).join('') : ''), on ? 'sounds' : 'silent');
  },
  camera(part) {
    const on = has(part, 'capturing');
    return svg(200, 112, `<rect x="34" y="24" width="132" height="80" rx="12" class="body"/><rect x="50" y="14" width="34" height="14" rx="4" class="body"/>`
      + circle(100, 64, 32, 'well') + circle(100, 64, 22, 'lens') + circle(93, 56, 6, 'glint') + circle(150, 38, 5, on ? 'cap on' : 'cap'), on ? 'takes a picture' : 'ready');
  },
  gps(part) {
    const fix = has(part, 'fix'), place = ['latitude', 'longitude'].map(n => number(part, n));
    return svg(200, 112, [15, 30, 45].map(r => circle(52, 54, r, 'scale')).join('') + circle(52, 54, 6, fix ? 'cap on' : 'cap')
      + place.map((v, i) => `<text x="110" y="${46 + 20 * i}" class="left">${v === undefined ? '–' : v.toFixed(5) + '°'}</text>`).join('')
      + `<text x="110" y="88" class="left small">${fix ? 'fix' : 'no fix'}</text>`, fix ? `at ${place.join(', ')}` : 'no fix');
  },
};
const units = { temperature: '°C', humidity: '%', pressure: 'hPa', volts: 'V', percent: '%', altitude: 'm', speed: 'm/s' };
const plot = points => {
  if (points.length < 2) return '';
  const v = points.map(p => p[1]), t = points[0][0], span = points[points.length - 1][0] - t || 1;
  let low = Math.min(...v), high = Math.max(...v);
  if (high - low < 1e-6) { low -= 1; high += 1; }
  const line = points.map(p => `${(2 + (p[0] - t) / span * 196).toFixed(1)} ${(40 - (p[1] - low) / (high - low) * 34).toFixed(1)}`).join('L');
  return `<path d="M2 44L${line}L198 44z" class="area"/><path d="M${line}" class="plot"/>`;
};
// What measures, and drivers of people's own: their numbers.
const readings = part => {
  const names = Object.keys(part.values).filter(n => typeof part.values[n] === 'number').slice(0, 3);
  if (!names.length) return svg(200, 60, '<text x="100" y="36" class="small">nothing told yet</text>', 'nothing told yet');
  return svg(200, names.length * 62, names.map((n, i) => `<g transform="translate(0 ${62 * i})"><text x="4" y="15" class="name">${escape(n)}</text>`
    + `<text x="196" y="16" class="reading">${+part.values[n].toFixed(2)} ${units[n] || ''}</text><g transform="translate(0 17)">${plot((histories[part.name] || {})[n] || [])}</g></g>`).join(''),
    names.map(n => `${n} ${+part.values[n].toFixed(2)} ${units[n] || ''}`).join(', '));
};

// ---- Cards
const cards = {}, known = {}, histories = {};
let status = { devices: [] }, seen = performance.now(), version = 0;

function draw(part) {
  const card = cards[part.name], picture = card.querySelector('.picture');
  part.values = known[part.name] ||= {};
  Object.assign(part.values, part.shown);
  if (part.driver === 'ht16k33') {
    let image = picture.firstChild;
    if (!image) { image = make('img'); image.alt = `the glass of ${part.name}`; picture.append(image); }
    image.src = `/api/glass/${encodeURIComponent(part.name)}.svg?${++version}`;
    if (part.shown && part.shown.text) image.alt = `the glass of ${part.name} shows ${part.shown.text}`;
  } else {
    const text = (drawings[part.driver] || readings)(part);
    if (picture.drawn !== text) picture.innerHTML = picture.drawn = text;
  }
  const isBad = part.health === 'failing' || part.fault;
  card.classList.toggle('failing', !!isBad);
  const health = card.querySelector('.health');
  health.className = `facts health ${isBad ? 'bad' : part.health === 'running' ? 'good' : 'warm'}`;
  health.textContent = part.health === 'failing' ? `failing, ${part.failures}×: ${part.error}`
    : part.fault ? `faulty: ${part.fault}` : part.health + (part.states.length ? ` · ${part.states.join(', ')}` : '');
}

function addCard(part) {
  const card = cards[part.name] = make('li');
  const title = make('h3', part.name);
  title.append(make('small', part.driver));
  card.append(title, make('div', null, 'picture'), make('p', '', 'facts health'), make('p', '', 'facts last'));
  const model = (status.simulated || []).find(p => p.name === part.name);
  if (model && model.stimuli.length) {
    const acts = make('div', null, 'acts');
    for (const stimulus of model.stimuli) {
      // One that needs to be told more is for the command line.
      if (stimulus.arguments.some(a => a.default === null)) continue;
      const button = make('button', stimulus.name);
      button.title = stimulus.summary;
      button.onclick = () => ask(['sim', stimulus.name, part.name]);
      acts.append(button);
    }
    const plug = make('button', 'unplug for 10 s');
    plug.onclick = () => ask(['sim', 'fault', `unplug: ${part.name}, for: 10s`]);
    acts.append(plug);
    card.append(acts);
  }
  $('parts').append(card);
}

function show() {
  $('name').textContent = document.title = status.device;
  $('board').textContent = status.board;
  $('well').textContent = status.well ? 'all is well' : 'something needs a look';
  $('well').className = status.well ? 'good' : 'bad';
  const names = status.devices.map(d => d.name).join('\n');
  if (names !== show.names) {
    show.names = names;
    $('parts').replaceChildren();
    for (const part of status.devices) addCard(part);
  }
  for (const part of status.devices) {
    Object.assign(known[part.name] ||= {}, (part.lastEvent || {}).fields);
    draw(part);
  }
  $('storage').replaceChildren(...status.storage.map(place => {
    const card = make('li'), title = make('h3', place.name);
    title.append(make('small', place.backend));
    const isBad = place.failing || place.rejected > 0;
    card.classList.toggle('failing', !!isBad);
    card.append(title, make('p', `${place.waiting} waiting${place.oldest ? `, the oldest for ${rough(place.oldest).replace(' ago', '')}` : ''}`, 'facts'),
      make('p', place.lastUpload == null ? 'nothing delivered yet' : `delivered ${rough(place.lastUpload)}`, 'facts good'));
    if (place.failing) card.append(make('p', `failing: ${place.failing.error}`, 'facts bad'));
    if (place.rejected) card.append(make('p', `${place.rejected} refused: see perch queue list`, 'facts bad'));
    return card;
  }));
  if (!status.storage.length) $('storage').append(make('li', 'no storage: nothing is kept'));
  tick();
}

// How long ago things were, without asking anybody.
function tick() {
  const now = status.now === undefined ? undefined : status.now + (performance.now() - seen) / 1000;
  for (const part of status.devices) {
    const last = times[part.name];
    if (cards[part.name] && last) cards[part.name].querySelector('.last').textContent = `${last.name} ${rough((performance.now() - last.at) / 1000)}`;
    else if (cards[part.name] && part.lastEvent && now === undefined) cards[part.name].querySelector('.last').textContent = `last: ${part.lastEvent.name}`;
  }
}
const times = {};

let asked = false, again = false;
async function refresh() {
  if (asked) { again = true; return; }
  asked = true;
  try {
    status = await (await fetch('/api/status')).json();
    seen = performance.now();
    show();
  } catch { $('well').textContent = 'not reachable'; $('well').className = 'bad'; }
  await new Promise(done => setTimeout(done, 150));
  asked = false;
  if (again) { again = false; refresh(); }
}

async function ask(words) {
  const headers = { 'X-Perch': '1' };
  const token = sessionStorage.getItem('token');
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch('/api/ask', { method: 'POST', headers, body: JSON.stringify(words) });
  if (answer.status === 401) {
    const given = prompt('The token for commands');
    if (!given) return;
    sessionStorage.setItem('token', given);
    return ask(words);
  }
  const text = answer.ok ? (await answer.json()).lines.join('\n') : await answer.text();
  $('said').textContent = text;
  if (text) setTimeout(() => { $('said').textContent = ''; }, 6000);
}

// ---- Timeline
const lines = [];
function describe(news) {
  if (news.event) return [news.event, Object.entries(news.fields).map(f => `${f[0]} ${f[1]}`).join(', ')];
  if (news.command) return [news.command, 'done'];
  if (news.state) return [news.state, news.holds ? 'begins' : 'ends'];
  if (news.device) return [news.device, news.fault ? `faulty: ${news.fault}` : news.error ? `fails: ${news.error}` : news.health || 'well again'];
}
function note(news) {
  const words = describe(news);
  if (!words) return;
  const line = make('li'), time = make('time', new Date().toLocaleTimeString()), text = make('span');
  text.append(make('b', words[0]), ` ${words[1]} `);
  line.append(time, text);
  line.subject = words[0];
  if (news.cause) {
    // The newest one with that name is what it was: a cause comes before what it causes.
    const cause = lines.findLast(l => l.subject === news.cause);
    const button = make('button', `because of ${news.cause}`);
    button.onclick = () => {
      for (const l of lines) l.classList.remove('mark');
      line.classList.add('mark');
      if (cause) { cause.hidden = false; cause.classList.add('mark'); cause.scrollIntoView({ block: 'center' }); }
    };
    text.append(button);
  }
  lines.push(line);
  line.hidden = !matches(line);
  $('timeline').prepend(line);
  if (lines.length > 500) lines.shift().remove();
}
const matches = line => line.textContent.toLowerCase().includes($('find').value.trim().toLowerCase());
$('find').oninput = () => { for (const line of lines) line.hidden = !matches(line); };

const feed = new EventSource('/api/events');
feed.onopen = refresh;
feed.onerror = () => { $('well').textContent = 'not reachable: trying again'; $('well').className = 'bad'; };
feed.addEventListener('missed', refresh);
feed.onmessage = message => {
  const news = JSON.parse(message.data);
  if (news.event) {
    const dot = news.event.indexOf('.'), name = news.event.slice(0, dot);
    Object.assign(known[name] ||= {}, news.fields);
    times[name] = { name: news.event.slice(dot + 1), at: performance.now() };
    for (const [field, value] of Object.entries(news.fields)) {
      if (typeof value !== 'number') continue;
      const points = (histories[name] ||= {})[field] ||= [];
      points.push([performance.now(), value]);
      if (points.length > 2000) points.splice(0, 1000);
    }
  }
  note(news);
  refresh();
};
setInterval(tick, 1000);
// Uploads happen without an event.
setInterval(() => { if (!document.hidden) refresh(); }, 5000);
