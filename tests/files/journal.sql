create table person(id integer primary key, name text not null);
create table entry(id integer primary key, who integer, verb text, whom integer, day text, note text);
insert into person values
  (1, 'Delia Fenn'), (2, 'Orchard Bank'), (3, 'Pruitt Roofing'), (4, 'O''Malley & Zoë');
insert into entry values
  (1, 1, 'calls', 2, '2022-01-04', null),
  (2, 2, 'emails', 1, '2022-01-04', ''),
  (3, 1, 'meets', 3, '2022-01-17', 'roof'),
  (4, 3, 'invoices', 1, '2022-02-03', null),
  (5, 4, 'advises', 1, '2022-02-04', null),
  (6, 1, 'pays', 3, '2022-02-11', null),
  (7, 4, 'calls', 3, '2022-02-28', null),
  (8, 1, 'thanks', 4, '2022-03-01', 'by post'),
  (9, 2, 'calls', 4, '2022-03-09', null),
  (10, 3, 'emails', 2, '2022-03-09', null);
