! Heat in a cube: each point becomes the mean of its six neighbours. The axes are the number of OpenMP threads and the
! size of tiles. The first step finds the winner. Later steps, and the next run of the program, know the winner.
!
!     gcc -O2 -I.. -c ../fortran/autotune_fortran.c
!     gfortran -O3 -fopenmp ../fortran/autotune.f90 fortran_stencil.f90 autotune_fortran.o -o fortran_stencil
!     ./fortran_stencil 160 200                 # points along an edge, steps
module heat
    use autotune
    use, intrinsic :: iso_fortran_env, only: real64
    implicit none
    private
    public :: start, step, error_after, draw

    integer :: n
    real(real64), allocatable :: now(:, :, :), next(:, :, :)

contains

    ! A wave with a hot and a cold half, and 0 on the walls. A step only scales the wave.
    pure function wave(i, j, k) result(height)
        integer, intent(in) :: i, j, k
        real(real64) :: height, pi
        pi = acos(-1._real64)
        height = sin(2 * pi * i / (n + 1)) * sin(pi * j / (n + 1)) * sin(pi * k / (n + 1))
    end function

    subroutine start(points)
        integer, intent(in) :: points
        integer :: i, j, k
        n = points
        allocate (now(0:n + 1, 0:n + 1, 0:n + 1), next(0:n + 1, 0:n + 1, 0:n + 1), source=0._real64)
        do k = 1, n
            do j = 1, n
                do i = 1, n
                    now(i, j, k) = wave(i, j, k)
                end do
            end do
        end do
    end subroutine

    ! The kernel. It reads `now` and writes `next`, so nothing has to be restored between trials.
    subroutine sweep(config)
        type(autotune_config), intent(inout) :: config
        integer :: tile_i, tile_j, tile_k, threads, i, j, k, ti, tj, tk
        tile_i = config%get_int('tile_i')
        tile_j = config%get_int('tile_j')
        tile_k = config%get_int('tile_k')
        threads = config%get_int('threads')
        !$omp parallel do collapse(2) num_threads(threads) schedule(static) private(i, j, k, ti)
        do tk = 1, n, tile_k
            do tj = 1, n, tile_j
                do ti = 1, n, tile_i
                    do k = tk, min(tk + tile_k - 1, n)
                        do j = tj, min(tj + tile_j - 1, n)
                            do i = ti, min(ti + tile_i - 1, n)
                                next(i, j, k) = (now(i - 1, j, k) + now(i + 1, j, k) + now(i, j - 1, k) + &
                                    now(i, j + 1, k) + now(i, j, k - 1) + now(i, j, k + 1)) / 6
                            end do
                        end do
                    end do
                end do
            end do
        end do
    end subroutine

    ! Makes one step in time. The best configuration depends on the size n, so n is the key.
    subroutine step(tuner, result)
        type(autotune_tuner), intent(in) :: tuner
        type(autotune_result), intent(out) :: result
        type(autotune_options) :: options
        real(real64), allocatable :: swapped(:, :, :)
        options%key = autotune_key(n)
        call autotune_call(tuner, options, sweep, result)
        call move_alloc(now, swapped)
        call move_alloc(next, now)
        call move_alloc(swapped, next)
    end subroutine

    function error_after(steps) result(error)
        integer, intent(in) :: steps
        real(real64) :: error, pi, scale
        integer :: i, j, k
        pi = acos(-1._real64)
        scale = ((cos(2 * pi / (n + 1)) + 2 * cos(pi / (n + 1))) / 3)**steps
        error = 0
        do k = 1, n
            do j = 1, n
                do i = 1, n
                    error = max(error, abs(now(i, j, k) - scale * wave(i, j, k)))
                end do
            end do
        end do
    end function

    ! Prints a slice through the middle of the cube, in shades from the coldest to the hottest.
    subroutine draw
        character(*), parameter :: shades = ' .:-=+*#%@'
        integer, parameter :: rows = 9, columns = 60
        character(columns) :: line
        real(real64) :: most, share
        integer :: row, column
        most = maxval(abs(now))
        do row = 1, rows
            do column = 1, columns
                share = now(1 + (n - 1) * (column - 1) / (columns - 1), 1 + (n - 1) * (row - 1) / (rows - 1), n / 2 + 1)
                associate (shade => 1 + nint((share / most + 1) / 2 * (len(shades) - 1)))
                    line(column:column) = shades(shade:shade)
                end associate
            end do
            print '(4x, a)', line
        end do
    end subroutine
end module

program fortran_stencil
    use autotune
    use heat
    use, intrinsic :: iso_fortran_env, only: int64, real64
    !$ use omp_lib, only: omp_get_max_threads
    implicit none
    type(autotune_space) :: space
    type(autotune_tuner) :: tuner
    type(autotune_result) :: first, later
    integer :: n, steps, most_threads, t, known, status
    integer(int64) :: began, ended, rate
    real(real64) :: error, seconds
    logical :: right

    n = argument(1, 160)
    steps = argument(2, 200)
    most_threads = 1
    !$ most_threads = omp_get_max_threads()
    call start(n)

    call space%axis('threads', [(t, t=1, most_threads)])
    call space%axis('tile_i', [8, 32, n])
    call space%axis('tile_j', [2, 8, 32, n])
    call space%axis('tile_k', [2, 8, 32, n])
    call autotune_create(tuner, 'heat in a cube', space, status=status)
    if (status /= AUTOTUNE_OK) error stop 'no tuner'

    call step(tuner, first)                     ! finds the winner, and makes the step with it
    known = 0
    call system_clock(began, rate)
    do t = 2, steps
        call step(tuner, later)
        if (later%cache_hit) known = known + 1
    end do
    call system_clock(ended)
    seconds = real(ended - began, real64) / rate
    error = error_after(steps)
    right = first%status == AUTOTUNE_OK .and. error < 1e-9

    print '(a, i0, a, i0, a)', 'heat in a cube of ', n, ' points along each edge, after ', steps, ' steps:'
    call draw
    call row('winner', first%median_ns)
    call row('first', first%default_ns)
    call row('slowest', first%slowest_ns)
    print '(a, t13, i0, a, i0, a, i0, a, f0.2, a, i0, a)', 'raced', first%tried, ' of ', first%space_size, ', ', &
        first%failed, ' failed, ', first%seconds, ' s, ', first%launches, ' launches'
    print '(a, t13, 3a)', 'chosen', first%config%text(), ': ', autotune_verdict_text(first%verdict)
    print '(a, t13, f0.2, a, i0, a, i0, a)', 'the rest', seconds * 1e3 / max(steps - 1, 1), ' ms a step; in ', known, &
        ' of ', steps - 1, ' the winner was known'
    print '(a, t13, es7.1, 2a)', 'error', error, ' at most, ', merge('right', 'WRONG', right)
    call autotune_destroy(tuner)
    if (.not. right) error stop 1

contains

    function argument(number, default) result(value)
        integer, intent(in) :: number, default
        integer :: value, error
        character(20) :: text
        call get_command_argument(number, text)
        read (text, *, iostat=error) value
        if (error /= 0) value = default
    end function

    ! Each point takes five additions and a division: six operations.
    subroutine row(name, ns)
        character(*), intent(in) :: name
        real(real64), intent(in) :: ns
        print '(a, t13, f8.2, a, f8.2, a, f6.1, a)', name, ns / 1e6, ' ms', 6 * real(n, real64)**3 / ns, ' GFLOP/s', &
            ns / first%median_ns, " x the winner's time"
    end subroutine
end program
